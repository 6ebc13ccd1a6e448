import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { textLike, textWith } from '../support/expected.ts'
import { openApiOf } from '../support/openapi.ts'

let database: TestDatabase
let http: TestHttp

beforeAll(async () => {
  database = await createTestDatabase()
  http = await startTestHttp({ database, now: () => testNow })
})

afterAll(() => endBoth(http, database))

describe('documentation', () => {
  const openapi = () => openApiOf(http)

  it('describes every public operation with its codes, headers and body as OpenAPI 3.1', async () => {
    const document = await openapi()
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toEqual([
      '/api/v1/sboms',
      '/api/v1/sboms/{id}',
      '/api/v1/vex',
      '/api/v1/connectors/dependency-track',
      '/api/v1/alert-destinations',
      '/api/v1/alert-destinations/{id}',
      '/csaf/{slug}/provider-metadata.json',
      '/csaf/{slug}/white/index.txt',
      '/csaf/{slug}/white/changes.csv',
      '/csaf/{slug}/white/{year}/{file}.json',
      '/csaf/{slug}/white/{year}/{file}.json.sha256',
      '/csaf/{slug}/white/{year}/{file}.json.sha512',
    ])
    const parametersOf = (path: string) =>
      document.paths[path]?.['post']?.parameters.map(({ name }) => name).sort()
    expect(parametersOf('/api/v1/sboms')).toEqual(
      expect.arrayContaining(['version', 'X-Service-Version', 'X-Service-Run-Url', 'Content-Encoding']),
    )
    expect(parametersOf('/api/v1/vex')).toEqual([
      'Content-Encoding',
      'X-Service-Source',
      'X-Service-Version',
      'version',
    ])
  })

  it('describes what every file of the feed is answered with', async () => {
    const document = await openapi()
    const files = Object.entries(document.paths).filter(([path]) => path.startsWith('/csaf/'))
    expect(files).toHaveLength(6)
    for (const [path, { get }] of files) {
      expect(Object.keys(get?.responses ?? {}), path).toEqual(['200', '304', '308', '404', '412', '503'])
    }
  })

  it('gives every shape a name, and lets a body be sent as the bytes it is', async () => {
    const document = await openapi()
    expect(Object.keys(document.components.schemas)).toEqual([
      'AlertDestination',
      'AlertDestinationRequest',
      'AlertDestinations',
      'ApprovalRequested',
      'ApprovalRequestedEvent',
      'ConnectorIgnored',
      'ConnectorTest',
      'Coverage',
      'CreatedAlertDestination',
      'CsafDocument',
      'DataBehind',
      'DeadlineWarning',
      'DeadlineWarningEvent',
      'DestinationTest',
      'DestinationTestEvent',
      'Error',
      'EventIncident',
      'IncidentOpened',
      'IncidentOpenedEvent',
      'ProviderMetadata',
      'ReportReceived',
      'ReportReceivedEvent',
      'SbomReceipt',
      'SbomResult',
      'SourceBehind',
      'VexReceipt',
      'WorstFinding',
    ])
    expect(document.components.schemas['SbomReceipt']?.properties['status']).toEqual({
      type: 'string',
      enum: ['received', 'parsed', 'matched', 'failed'],
    })
    for (const path of ['/api/v1/sboms', '/api/v1/vex']) {
      const operation = document.paths[path]?.['post']
      expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual([
        'application/json',
        'application/octet-stream',
      ])
      for (const response of Object.values(operation?.responses ?? {})) {
        expect(response.content?.['application/json']?.schema).toEqual({
          $ref: textLike(/^#\/components\/schemas\/(SbomReceipt|VexReceipt|Error)$/),
        })
      }
    }
  })

  // What generators of several languages stumble over, seen with OpenAPI Generator 7.14.
  describe('leads generators to a client that compiles and is whole', () => {
    it('files what a receiver implements apart: a class is made for each tag, and the later one replaces the earlier', async () => {
      const { paths, webhooks, tags } = await openapi()
      const tagsOf = (found: typeof paths) =>
        new Set(
          Object.values(found).flatMap((methods) => Object.values(methods).flatMap((each) => each.tags)),
        )
      expect([...tagsOf(webhooks)].filter((tag) => tagsOf(paths).has(tag))).toEqual([])
      expect(tags.map(({ name }) => name).toSorted()).toEqual(
        [...tagsOf(paths), ...tagsOf(webhooks)].toSorted(),
      )
    })

    it('names no shape as Go names the function that makes one', async () => {
      const names = Object.keys((await openapi()).components.schemas)
      expect(
        names.filter((name) => names.includes(name.replace(/^New/, '')) && name.startsWith('New')),
      ).toEqual([])
    })

    it('bounds no boolean to one of its values, which Java takes for a text', async () => {
      const found = JSON.stringify(await openapi()).match(/"(?:const|enum)":\[?(?:true|false)/g)
      expect(found).toBeNull()
    })
  })

  it('sets no bound on `wait` that the service does not hold', async () => {
    const parameters = (await openapi()).paths['/api/v1/sboms/{id}']?.['get']?.parameters ?? []
    expect(parameters.find(({ name }) => name === 'wait')).toMatchObject({
      schema: { type: 'integer', minimum: 0 },
      description: textWith('More than 30 counts as 30'),
    })
    expect(JSON.stringify(parameters)).not.toContain('maximum')
  })

  /** Interface, "Errors", with the codes of every token step. */
  const token = [
    'unauthorized',
    'rate_limited',
    'family_not_found',
    'billing_lapsed',
    'too_large',
    'internal',
  ]
  const upload = [...token, 'invalid_json', 'empty', 'bad_encoding']
  const sbom = ['invalid_sbom', 'xml_unsupported', 'unsupported_format', 'too_many_components']
  const notification = ['invalid_json', 'invalid_notification', 'unsupported_media_type', 'bom_omitted']
  const list = ['unauthorized', 'rate_limited', 'internal']
  const add = [
    'billing_lapsed',
    'plan_required',
    'not_configured',
    'too_large',
    'invalid_json',
    'invalid_request',
  ]
  it.each([
    ['post', '/api/v1/sboms', [...upload, ...sbom]],
    [
      'post',
      '/api/v1/vex',
      [...upload, 'invalid_vex', 'unsupported_vex', 'no_statements', 'too_many_statements'],
    ],
    ['post', '/api/v1/connectors/dependency-track', [...token, ...notification, ...sbom]],
    ['get', '/api/v1/alert-destinations', list],
    ['post', '/api/v1/alert-destinations', [...list, ...add]],
    ['delete', '/api/v1/alert-destinations/{id}', [...list, 'billing_lapsed', 'not_found']],
  ])('documents exactly the codes of %s %s', async (method, path, codes) => {
    const responses = (await openapi()).paths[path]?.[method]?.responses ?? {}
    const lines = Object.values(responses).flatMap(({ description }) => description.split('\n'))
    const found = lines.map((line) => /^`([a-z_]+)`: /.exec(line)?.[1]).filter((code) => code !== undefined)
    expect(found.sort()).toEqual([...codes].sort())
  })

  it('is readable without script', async () => {
    const answer = await call(`${http.url}/docs/api`)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).toContain('<h2 id="post-api-v1-sboms">Upload an SBOM</h2>')
    expect(answer.body).toContain('<code>ignored</code>')
    expect(answer.body).toContain('<h2 id="webhook-deadline-warning">A report is due soon</h2>')
    expect(answer.body).toContain('<code>data.report.acknowledgeBy</code>')
    expect(answer.body).toContain('urn:uuid:3e671687-395b-41f5-a30f-a58921a69b79')
    expect(answer.body).not.toMatch(/undefined|\[object/)
  })
})
