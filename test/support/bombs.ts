import { gzipSync, zstdCompressSync } from 'node:zlib'

export type Bomb = {
  kind: 'gzip' | 'zstd' | 'depth' | 'tokens' | 'strings' | 'keys' | 'products'
  name: string
  path: '/api/v1/sboms' | '/api/v1/vex'
  /** The contract's answer: the code of a refusal, or `202`. */
  answer: string
  body: () => Buffer
}

const megabyte = 1024 * 1024
const part = 48 * megabyte
const sbom = '/api/v1/sboms'
const vex = '/api/v1/vex'

const fill = (unit: string, bytes = 49 * megabyte) => unit.repeat(Math.floor(bytes / unit.length))
const listOf = (count: number, entry: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => entry(index)).join()}]`
const cyclonedx = (field: string) => `{"bomFormat":"CycloneDX","specVersion":"1.6",${field}}`
const openvex = (statements: string) =>
  `{"@context":"https://openvex.dev/ns/v0.2.0","statements":${statements}}`
const gzipped = (text: string) => gzipSync(text, { level: 3 })
const times = (bytes: Buffer, count: number) => Buffer.concat(Array.from({ length: count }, () => bytes))

type Row = [name: string, path: Bomb['path'], answer: string, body: () => Buffer]

const rows: Record<Bomb['kind'], Row[]> = {
  gzip: [
    ['a gigabyte of zeros in many members', sbom, 'too_large', () => times(gzipSync(Buffer.alloc(part)), 22)],
    ['one byte too many', sbom, 'too_large', () => gzipSync(Buffer.alloc(50 * megabyte + 1))],
    ['a bomb in a bomb', sbom, 'bad_encoding', () => gzipSync(gzipSync(Buffer.alloc(part)))],
    ['cut off', sbom, 'bad_encoding', () => gzipSync(Buffer.alloc(part)).subarray(0, 20_000)],
    ['on /vex', vex, 'too_large', () => times(gzipSync(Buffer.alloc(part)), 22)],
  ],
  zstd: [
    ['a gigabyte of zeros', vex, 'too_large', () => times(zstdCompressSync(Buffer.alloc(part)), 22)],
    [
      'a thousand frames and more',
      vex,
      'bad_encoding',
      () => times(zstdCompressSync(Buffer.alloc(1)), 1_001),
    ],
    ['cut off', vex, 'bad_encoding', () => zstdCompressSync(Buffer.alloc(part)).subarray(0, 1_000)],
  ],
  depth: [
    ['opening brackets', sbom, 'invalid_sbom', () => gzipped(fill('['))],
    ['objects in objects', vex, 'invalid_vex', () => gzipped(fill('{"a":'))],
    ['components in components', sbom, 'invalid_sbom', () => gzipped(cyclonedx(fill('"components":[{')))],
  ],
  tokens: [
    ['empty objects', sbom, 'invalid_sbom', () => gzipped(`[${fill('{},')}{}]`)],
    [
      'empty components',
      sbom,
      'too_many_components',
      () => gzipped(cyclonedx(`"components":[${fill('{},')}{}]`)),
    ],
    ['empty statements', vex, 'too_many_statements', () => gzipped(openvex(`[${fill('{},')}{}]`))],
    ['numbers', sbom, 'invalid_sbom', () => gzipped(`[${fill('1,')}1]`)],
    [
      'objects up to the budget',
      sbom,
      '202',
      () => gzipped(cyclonedx(`"x":${listOf(1_990_000, () => '{}')}`)),
    ],
    ['dependencies', sbom, '202', () => gzipped(cyclonedx(manyDependencies()))],
  ],
  strings: [
    ['one', sbom, '202', () => gzipped(cyclonedx(`"x":"${fill('a', part)}"`))],
    ['one of escapes', sbom, '202', () => gzipped(cyclonedx(`"x":"${fill('\\u0001', part)}"`))],
    ['a name of control characters', sbom, '202', () => gzipped(cyclonedx(namedBy(fill('\\u0001a', part))))],
    ['never closed', sbom, 'invalid_json', () => gzipped(`{"x":"${fill('a', part)}`)],
  ],
  keys: [
    ['objects of five thousand kinds', sbom, 'invalid_sbom', () => gzipped(cyclonedx(kinds(5_000)))],
    ['objects of a thousand kinds', sbom, '202', () => gzipped(cyclonedx(kinds(990)))],
    [
      'numbers as keys',
      sbom,
      'invalid_sbom',
      () => gzipped(cyclonedx(`"x":${listOf(1_900_000, () => '{"499":1}')}`)),
    ],
    [
      'one large object',
      sbom,
      'invalid_sbom',
      () => gzipped(`{${listOf(900_000, (at) => `"k${at}":1`).slice(1, -1)}}`),
    ],
  ],
  products: [
    ['of one statement', vex, 'invalid_vex', () => gzipped(openvex(`[${statementOf(500_000)}]`))],
    ['of one statement, up to the budget', vex, '202', () => gzipped(openvex(`[${statementOf(200_000)}]`))],
  ],
}

/** Files that cost a careless reader far more than their size, with the contract's answer to each. */
export const bombs: readonly Bomb[] = Object.entries(rows).flatMap(([kind, ofKind]) =>
  ofKind.map(([name, path, answer, body]) => ({ kind: kind as Bomb['kind'], name, path, answer, body })),
)

function kinds(count: number): string {
  return `"x":${listOf(1_500_000, (index) => `{"k${index % count}":1}`)}`
}

function namedBy(name: string): string {
  return `"components":[{"type":"library","name":"${name}"}]`
}

function manyDependencies(): string {
  const components = listOf(20_000, (at) => `{"type":"library","name":"n","bom-ref":"${at}"}`)
  const to = listOf(300, (at) => `"${at * 13}"`)
  return `"components":${components},"dependencies":${listOf(20_000, (from) => `{"ref":"${from}","dependsOn":${to}}`)}`
}

function statementOf(products: number): string {
  const named = listOf(products, (at) => `"pkg:npm/sample-${at}@1.0.0"`)
  return `{"vulnerability":"CVE-2026-1","status":"fixed","products":${named}}`
}
