import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { scanJson } from '../../src/formats/json/scan.ts'
import { sampleComponent } from '../support/sample-sbom.ts'
import { UploadScene } from '../support/upload-scene.ts'

type Fields = Record<string, unknown>
type Cyclonedx = Fields & { components: Fields[]; dependencies?: { ref: string; dependsOn?: string[] }[] }
type Spdx = Fields & {
  packages: (Fields & { SPDXID: string })[]
  relationships: (Fields & { spdxElementId: string; relatedSpdxElement: string })[]
}

const samples = '../shared/data/sbom'
const vexSamples = '../shared/data/vex'
const absent = !existsSync(samples)
const note = absent ? ' (skipped: no sample data beside the project)' : ''
const wantedComponents = 49_000

let scene: UploadScene

beforeAll(async () => {
  scene = await UploadScene.open({ hasParserChildren: true })
})

afterAll(() => scene.close())

async function send(document: unknown): Promise<number> {
  const text = JSON.stringify(document)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.bodyDecompressedBytes)
  const { status } = await scene.upload(gzipSync(text, { level: 6 }))
  return status
}

const patience = { timeout: 300_000 }

describe('documents of the largest size inside every budget are stored', patience, () => {
  it('49 000 components with ten licences and eight hashes each', async () => {
    const lengths = [32, 32, 40, 40, 64, 64, 64, 96]
    const components = Array.from({ length: wantedComponents }, (_, at) => {
      const { type, name, version, purl } = sampleComponent(at)
      const licenses = Array.from({ length: 10 }, (_unused, of) => ({ license: { id: `LIC-${of}` } }))
      const hashes = lengths.map((length, of) => ({
        alg: `A${of}`,
        content: `${of}${at}`.padStart(length, '0'),
      }))
      return { type, 'bom-ref': `${at}`, name, version, purl, licenses, hashes }
    })
    const document = { bomFormat: 'CycloneDX', specVersion: '1.6', components }
    expect(await send(document)).toBe(202)
  })
})

describe.skipIf(absent)(`real documents${note}`, patience, () => {
  const filesOf = (folder: string) =>
    absent ? [] : readdirSync(join(samples, folder)).map((file) => join(folder, file))
  const read = (file: string): unknown => JSON.parse(readFileSync(join(samples, file), 'utf8'))

  it.each(['cyclonedx', 'spdx', 'containers'].flatMap(filesOf))('%s is inside every budget', (file) => {
    const bytes = readFileSync(join(samples, file))
    expect(scanJson(bytes, ['components', 'packages'])).toMatchObject({ kind: 'ok' })
  })

  const vexFiles = absent
    ? []
    : readdirSync(vexSamples, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'))

  it.each(vexFiles)('vex/%s is inside every budget', (file) => {
    const bytes = readFileSync(join(vexSamples, file))
    expect(scanJson(bytes, ['statements', 'vulnerabilities'])).toMatchObject({ kind: 'ok' })
  })

  it('the largest CycloneDX sample, repeated up to the limits', async () => {
    const sample = read('cyclonedx/keycloak-java-1.4.json') as Cyclonedx
    const times = timesOf(sample, sample.components.length)
    const copies = Array.from({ length: times }, (_, copy) => ({
      components: sample.components.map((component) => ({
        ...component,
        'bom-ref': `${copy}/${String(component['bom-ref'])}`,
        name: `${String(component['name'])}-${copy}`,
      })),
      dependencies: (sample.dependencies ?? []).map(({ ref, dependsOn = [] }) => ({
        ref: `${copy}/${ref}`,
        dependsOn: dependsOn.map((other) => `${copy}/${other}`),
      })),
    }))
    const components = copies.flatMap((copy) => copy.components)
    const dependencies = copies.flatMap((copy) => copy.dependencies)
    expect(await send({ ...sample, components, dependencies })).toBe(202)
  })

  it('the largest SPDX sample, repeated up to the limits', async () => {
    const sample = read('containers/spdx-syft-percona_percona-server-mongodb.spdx.json') as Spdx
    const times = timesOf(sample, sample.packages.length)
    const copies = Array.from({ length: times }, (_, copy) => ({
      packages: sample.packages.map((one) => ({ ...one, SPDXID: `${one.SPDXID}-${copy}` })),
      relationships: sample.relationships.map((one) => ({
        ...one,
        spdxElementId: `${one.spdxElementId}-${copy}`,
        relatedSpdxElement: `${one.relatedSpdxElement}-${copy}`,
      })),
    }))
    const packages = copies.flatMap((copy) => copy.packages)
    const relationships = copies.flatMap((copy) => copy.relationships)
    expect(await send({ ...sample, packages, relationships })).toBe(202)
  })
})

/** How many copies of a document fit into the limits, including the body limit; making a copy unique takes a fifth. */
function timesOf(document: unknown, components: number): number {
  const text = JSON.stringify(document)
  const [inflated, sent] = [Buffer.byteLength(text), gzipSync(text, { level: 6 }).length]
  const { bodyDecompressedBytes, bodySentBytes } = limits
  const bytes = Math.min(bodyDecompressedBytes / inflated, bodySentBytes / sent)
  return Math.floor(Math.min(bytes / 1.2, wantedComponents / components))
}
