import { gzipSync, zstdCompressSync } from 'node:zlib'
import { documents, type Target } from './documents.ts'

/** A request derived from a seed: the same seed gives the same request. */
export type FuzzedUpload = { path: string; body: Buffer; headers: Record<string, string>; query: string }

/** Pseudo-random numbers in [0, 1) from a seed (mulberry32). */
type Random = () => number

function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pick = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T

const hostileTexts = [
  '',
  '\0',
  'a\u0000b',
  '\ud800',
  '\u202e',
  '😀'.repeat(300),
  'a'.repeat(5_000),
  '__proto__',
  'constructor',
  "'; drop table sbom; --",
  '<script>alert(1)</script>',
  'pkg:npm/%00@1',
  'pkg:maven/a/b@1?x=%zz',
  'cpe:2.3:a:\\:b:c:1:*:*:*:*:*:*:*',
  '1'.repeat(400),
  '9999999999999999999999.0.0',
  '1.0.0-' + '-.'.repeat(200),
  '{"array","of"}',
  '\\x00',
]

const hostileValues: readonly unknown[] = [
  ...hostileTexts,
  null,
  true,
  0,
  -1,
  1e308,
  [],
  {},
  [[[]]],
  { toString: 1 },
  [null],
  ['a', 1, {}],
]

const hostileBytes = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  '\\u0000',
  '\\ud800',
  '\0',
  '1e400',
  '-',
  '\ufeff',
  '{"__proto__":',
  '\u00ff',
]

/** Every object and array in a value, itself included. */
function containersOf(value: unknown): (Record<string, unknown> | unknown[])[] {
  if (typeof value !== 'object' || value === null) return []
  const container = value as Record<string, unknown> | unknown[]
  return [container, ...Object.values(container).flatMap(containersOf)]
}

/** Replaces, adds, removes or duplicates something somewhere in the document. */
function mutateValue(random: Random, document: Record<string, unknown>): void {
  const container = pick(random, containersOf(document)) as Record<string, unknown>
  const key = pick(random, [...Object.keys(container), 'extra'])
  switch (Math.floor(random() * 4)) {
    case 0:
      container[key] = structuredClone(pick(random, hostileValues))
      break
    case 1:
      container[pick(random, hostileTexts)] = structuredClone(pick(random, hostileValues))
      break
    case 2:
      // oxlint-disable-next-line typescript/no-dynamic-delete -- a missing key is a mutation
      delete container[key]
      break
    default:
      if (Array.isArray(container)) {
        // a mutated array may have lost its own `push`
        const list: unknown[] = container
        list[list.length] = structuredClone(list[0])
      }
  }
}

function mutateBytes(random: Random, bytes: Buffer): Buffer {
  const at = Math.floor(random() * bytes.length)
  const end = Math.min(bytes.length, at + Math.floor(random() * 40))
  switch (Math.floor(random() * 5)) {
    case 0:
      bytes[at] = Math.floor(random() * 256)
      return bytes
    case 1:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)])
    case 2:
      return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)])
    case 3:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(pick(random, hostileBytes)),
        bytes.subarray(at),
      ])
    default:
      return bytes.subarray(0, at)
  }
}

const encodings = ['gzip', 'identity', 'br', 'x-gzip', 'gzip, gzip', '', 'zstd']
const headerNames = [
  'x-service-version',
  'x-service-source',
  'x-service-commit',
  'x-service-branch',
  'x-service-repo',
  'x-service-run-url',
]
const headerTexts = [
  '1.0',
  'refs/heads/',
  'hosted_ci',
  'https://ci.example/1',
  'javascript:1',
  'é'.repeat(200),
  'a'.repeat(3_000),
  '\u00ff\u00fe',
  ' ',
]

/** The upload of a seed: a valid document with one to six mutations of values, bytes, compression and headers. */
export function fuzzedUpload(seed: number, target: Target): FuzzedUpload {
  const random = randomOf(seed)
  const document = pick(random, documents[target])(seed)
  document['nonce'] = seed
  const mutations = 1 + Math.floor(random() * 4)
  for (let count = 0; count < mutations; count += 1) mutateValue(random, document)
  let body: Buffer = Buffer.from(JSON.stringify(document))
  for (let count = Math.floor(random() * 3); count > 0; count -= 1) body = mutateBytes(random, body)
  const isZipped = target !== 'connectors/dependency-track' && random() < 0.4
  if (isZipped) body = random() < 0.5 ? gzipSync(body) : zstdCompressSync(body)
  if (isZipped && random() < 0.3) body = mutateBytes(random, body)
  const headers: Record<string, string> = {}
  if (random() < 0.3) headers['content-encoding'] = pick(random, encodings)
  for (const name of headerNames) if (random() < 0.2) headers[name] = pick(random, headerTexts)
  const query =
    random() < 0.3 ? `?version=${encodeURIComponent(pick(random, hostileTexts).toWellFormed())}` : ''
  if (target === 'connectors/dependency-track' && random() < 0.9) headers['content-type'] = 'application/json'
  return { path: `/api/v1/${target}`, body, headers, query }
}
