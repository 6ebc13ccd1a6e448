import { gzipSync } from 'node:zlib'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicExamples } from '../../src/http/public/all.ts'
import { exampleBase, type PublicExample } from '../../src/docs-site/examples/example.ts'
import { call } from '../support/http.ts'
import { ExampleScene } from './example-scene.ts'
import { openApiOf, type OpenApi } from '../support/openapi.ts'

let scene: ExampleScene
let document: OpenApi

beforeAll(async () => {
  scene = await ExampleScene.open()
  document = await openApiOf(scene.http)
})
afterAll(() => scene.close())

const operations = () => Object.values(document.paths).flatMap((methods) => Object.values(methods))

/** Replaces values that differ between services. */
function masked(value: unknown): unknown {
  const text = JSON.stringify(value ?? null)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\b(?:[0-9a-f]{128}|[0-9a-f]{64})\b/g, (digits) => `<${digits.length} digits>`)
    .replaceAll(exampleBase, '<base>')
    .replaceAll(scene.publicUrl, '<base>')
    .replaceAll(/whsec_[\w-]{43}/g, '<secret>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
  return JSON.parse(text)
}

const cases = Object.entries(publicExamples).flatMap(([operation, examples]) =>
  examples.map((example): [string, string, PublicExample] => [operation, example.name, example]),
)

describe('the service answers as its documentation shows', () => {
  test.each(cases)('%s: %s', async (operation, _name, example) => {
    const answer = await scene.send(operation, example)
    expect({ status: answer.status, body: masked(answer.body === '' ? undefined : answer.body) }).toEqual({
      status: example.answer.status,
      body: masked(example.answer.body),
    })
  })

  test('a file that is gzipped is taken for the same file', async () => {
    const [first] = publicExamples['uploadSbom'] ?? []
    const { token } = await scene.freshFamily()
    const body = gzipSync(JSON.stringify(first?.request?.body))
    const send = (headers: Record<string, string>) =>
      call(`${scene.http.url}/api/v1/sboms`, { method: 'POST', token, body, headers })
    const octets = { 'Content-Type': 'application/octet-stream' }
    expect(await send({ ...octets, 'Content-Encoding': 'gzip' })).toMatchObject({ status: 202 })
    expect(await send(octets)).toMatchObject({ status: 200, body: { duplicate: true } })
  })
})

describe('the document', () => {
  test('passes the strict rules of a linter, the schemas its examples', async () => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: 'openapi.json',
      config,
    })
    const found = problems.map(({ ruleId, message, location }) =>
      [ruleId, message, ...location.map(({ pointer }) => pointer)].join(' '),
    )
    expect(found).toEqual([])
  })

  test('has an example of every answer with a body, and of every code, beside failures of the service', () => {
    const missing = operations().flatMap(({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { description, content = {} }]) => {
        const names = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples))
        const codes = [...description.matchAll(/^`([a-z_]+)`: /gm)].map(([, code = '']) => code)
        const wanted = codes.filter((code) => code !== 'internal' && !names.includes(code))
        const isEmpty = Object.keys(content).length > 0 && names.length === 0 && Number(status) < 500
        return [...wanted, ...(isEmpty ? [status] : [])].map((what) => `${operationId} ${what}`)
      }),
    )
    expect(missing).toEqual([])
  })

  test('shows requests in examples of every body that is JSON, with addresses of the service itself', () => {
    for (const { operationId, requestBody } of operations()) {
      if (requestBody === undefined) continue
      const { examples = {} } = requestBody.content['application/json'] ?? {}
      expect(Object.keys(examples), operationId).not.toEqual([])
    }
    expect(JSON.stringify(document)).toContain(`${scene.publicUrl}/app/acme/sboms/`)
    expect(JSON.stringify(document)).not.toContain(exampleBase)
  })

  test('says where a token goes, and that the feed needs none', () => {
    const security = Object.fromEntries(
      operations().map((each) => [each.operationId, each.security.flatMap((scheme) => Object.keys(scheme))]),
    )
    expect(security).toEqual({
      uploadSbom: ['uploadToken'],
      getSbomResult: ['resultsToken'],
      uploadVex: ['uploadToken'],
      receiveDependencyTrack: ['uploadToken', 'connectorKey'],
      listAlertDestinations: ['workspaceToken'],
      addAlertDestination: ['workspaceToken'],
      removeAlertDestination: ['workspaceToken'],
      getProviderMetadata: [],
      getAdvisoryIndex: [],
      getAdvisoryChanges: [],
      getAdvisory: [],
      getAdvisorySha256: [],
      getAdvisorySha512: [],
    })
  })

  test('describes the headers of refusals', () => {
    const headers = (operation: string, status: string) =>
      Object.keys(
        operations().find(({ operationId }) => operationId === operation)?.responses[status]?.headers ?? {},
      )
    for (const { operationId, responses } of operations()) {
      for (const status of Object.keys(responses)) {
        if (status === '429') expect(headers(operationId, status)).toEqual(['Retry-After'])
        if (status === '401') expect(headers(operationId, status)).toEqual(['WWW-Authenticate'])
      }
    }
    expect(headers('getAdvisory', '200')).toEqual(expect.arrayContaining(['ETag', 'Last-Modified']))
  })
})
