import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { VexReceipt } from '../../src/contract/vex/shapes.ts'
import { createFamily } from '../../src/contract/products/operations.ts'
import type { Operation } from '../../src/http/operation.ts'
import { operations } from '../../src/http/routes.ts'
import { readOperations } from '../support/app-operations.ts'
import { call, endBoth } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { readAs } from '../support/read-as.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

/** Hostile values in every kind of field: none may be answered 5xx. */
let known: Record<string, string>

const nobodys = '00000000-0000-7000-8000-00000000dead'

let { store, http, acme, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, owner } = await openAppScene())
  const token = acme.families[0]?.upload ?? ''
  const body = sampleSbom({ components: 3, serial: 1, version: '1.0' })
  const sbom = readAs(
    SbomReceipt,
    (await call(`${http.url}/api/v1/sboms`, { method: 'POST', token, body })).body,
  )
  const vex = readAs(
    VexReceipt,
    (
      await call(`${http.url}/api/v1/vex`, {
        method: 'POST',
        token,
        body: JSON.stringify({
          '@context': 'https://openvex.dev/ns/v0.2.0',
          statements: [
            { vulnerability: { name: 'CVE-2024-1' }, products: ['pkg:npm/left'], status: 'affected' },
          ],
        }),
      })
    ).body,
  )
  known = {
    slug: 'acme',
    family: acme.families[0]?.id ?? '',
    sbom: sbom.id,
    id: sbom.id,
    other: sbom.id,
    document: vex.id,
  }
})
afterAll(() => endBoth(http, store))

const texts = [
  '\0',
  'a\0b',
  '\ud800',
  'a\udfff',
  '',
  ' ',
  "'; drop table sbom; --",
  '%',
  '\\',
  '_%\\',
  '../../etc/passwd',
  '%00',
  '9'.repeat(40),
  '-1',
  '1e309',
  'NaN',
  'null',
  '{}',
  '\u202e\u0007',
  '😀'.repeat(300),
  'x'.repeat(3000),
]
const listNames = [
  'sboms',
  'vex',
  'reported',
  'statements',
  'all-components',
  'components name',
  'findings severity',
  'vulnerabilities severity',
]
const parts = [
  null,
  true,
  '',
  'x',
  '\0',
  '\ud800',
  'now',
  'infinity',
  1e300,
  -1,
  0.5,
  2 ** 31,
  2 ** 53,
  [],
  {},
  nobodys,
  '2026-01-01T00:00:00.000Z',
  '9999-99-99T00:00:00.000Z',
]

const text = fc.constantFrom(...texts)
const cursor = fc
  .tuple(fc.constantFrom(...listNames), fc.array(fc.constantFrom(...parts), { minLength: 0, maxLength: 6 }))
  .map(([name, values]) => Buffer.from(JSON.stringify([name, ...values])).toString('base64url'))
const json = fc.oneof(
  text,
  fc.constantFrom(null, true, -1, 1e300, [], {}, ['\0'], { '\0': 1 }, [[{ a: '\ud800' }]]),
)

const queryNames = [
  'search',
  'severity',
  'exploited',
  'grade',
  'verdict',
  'sort',
  'cursor',
  'archived',
  'version',
  'format',
  'state',
  'show',
  'number',
  'family',
  'hash',
  'q',
  'wait',
]

type Input = { operation: Operation; kind: 'parameter' | 'query' | 'field'; name: string }

function fieldsOf({ bodySchema, body }: Operation): string[] {
  if (body !== 'json') return []
  return Object.keys(bodySchema?.properties ?? {})
}

function parametersOf({ url }: Operation): string[] {
  return [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

const contract = await readOperations()

/** Operations ignore parameters they do not name: one name stands for all of these. */
function queriesOf({ name = '', method, url, body }: Operation): string[] {
  if (method !== 'GET' && body !== 'raw') return []
  const known = contract.get(name)
  return known?.path === url ? [...new Set([...Object.keys(known.query), 'search'])] : queryNames
}

const places: Input[] = operations.flatMap((operation) => [
  ...parametersOf(operation).map((name) => ({ operation, kind: 'parameter', name }) as const),
  ...queriesOf(operation).map((name) => ({ operation, kind: 'query', name }) as const),
  ...fieldsOf(operation).map((name) => ({ operation, kind: 'field', name }) as const),
])

function valuesOf({ kind, name }: Input): fc.Arbitrary<unknown> {
  if (kind === 'field') return json
  return name === 'cursor' ? fc.oneof(text, cursor) : text
}

/** As raw as a sender may write it: a lone surrogate is encoded as its three bytes. */
function encoded(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : '%ED%A0%80'
}

async function send({ operation, kind, name }: Input, value: unknown): Promise<number> {
  const { method, url, credential } = operation
  const path = url.replaceAll(/:(\w+)/g, (_match, parameter: string) =>
    kind === 'parameter' && parameter === name ? encoded(String(value)) : (known[parameter] ?? nobodys),
  )
  const address = kind === 'query' ? `${path}?${name}=${encoded(String(value))}` : path
  const fields = Object.fromEntries(fieldsOf(operation).map((field) => [field, 'text']))
  const body = operation.body === 'json' ? JSON.stringify({ ...fields, [name]: value }) : undefined
  if (address.startsWith('/api/app')) {
    const raw = method === 'GET' || method === 'DELETE' ? body : (body ?? '{}')
    return (
      await owner.send(address.slice('/api/app'.length), {
        method,
        ...(raw === undefined ? {} : { raw }),
      })
    ).status
  }
  const [family] = acme.families
  const token = credential === 'results_token' ? family?.results : family?.upload
  await store.db.deleteFrom('token_use').execute()
  const sent = operation.body === 'raw' ? { body: '{}' } : {}
  return (await call(`${http.url}${address}`, { method: method as 'GET', token: token ?? '', ...sent }))
    .status
}

describe('hostile values', () => {
  it.each(['parameter', 'query', 'field'] as const)(
    'in every %s of every route are answered below 500',
    { timeout: 600_000 },
    async (kind) => {
      const found: string[] = []
      const asked = places.filter((place) => place.kind === kind)
      expect(asked.length).toBeGreaterThan(20)
      for (const [index, place] of asked.entries()) {
        const runs = place.name === 'cursor' ? 12 : kind === 'query' ? 2 : 4
        for (const value of fc.sample(valuesOf(place), { numRuns: runs, seed: 7_000 + index })) {
          const status = await send(place, value)
          const { method, url } = place.operation
          if (status >= 500) found.push(`${method} ${url} ${place.name}=${JSON.stringify(value)}: ${status}`)
        }
      }
      expect(found).toEqual([])
    },
  )

  it.each([
    ['NUL in a body', '{"name":"a\\u0000b"}', { name: 'It contains a character that is not text.' }],
    ['half a pair in a body', '{"name":"a\\ud800b"}', { name: 'It contains a character that is not text.' }],
    [
      'NUL in the name of a field',
      '{"name":"a","\\u0000":1}',
      { body: 'It contains a character that is not text.' },
    ],
    [
      'NUL deep in a body',
      '{"name":"a","x":[{"y":"\\u0000"}]}',
      { x: 'It contains a character that is not text.' },
    ],
  ])('names the field: %s', async (_rule, raw, fields) => {
    const answer = await owner.refused(createFamily, { raw })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', fields } })
  })

  it('reads a body that is nested deeper than calls may be', async () => {
    const raw = `{"name":"deep","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect((await owner.ask(createFamily, { raw })).status).toBeLessThan(500)
  })
})
