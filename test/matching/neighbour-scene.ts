import { afterAll, beforeAll, expect, test } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import type { Db } from '../../src/database/connection.ts'
import { allComponents } from '../../src/inventory/components/list-components.ts'
import { testNow } from '../support/clock.ts'
import { createFamilyToken } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { loadRecords } from './match-support.ts'
import { readAs } from '../support/read-as.ts'

/** A component beside the record that decides it; the record's id is unique. */
export type Neighbour = {
  rule: string
  record: { id: string }
  component: Record<string, unknown>
  /** `exact`, `possible`, `-` for no match; or no match and the state that explains it. */
  answer: string
}

const formats = ['CycloneDX 1.4', 'CycloneDX 1.5', 'CycloneDX 1.6', 'CycloneDX 1.7', 'SPDX 2.2', 'SPDX 2.3']

/** Sends all components in every format, each in its own document, and keeps the answers. */
class NeighbourScene {
  readonly #scene: UploadScene
  readonly #answers = new Map<string, string>()

  private constructor(scene: UploadScene) {
    this.#scene = scene
  }

  static async open(neighbours: readonly Neighbour[]): Promise<NeighbourScene> {
    const scene = new NeighbourScene(await UploadScene.open())
    await loadRecords(scene.#scene.database.db, ...neighbours.map(({ record }) => record))
    for (const format of formats) await scene.#send(format, neighbours)
    return scene
  }

  get db(): Db {
    return this.#scene.database.db
  }

  get workspaceId(): string {
    return this.#scene.company.workspaceId
  }

  close(): Promise<void> {
    return this.#scene.close()
  }

  /** By format, each distinct answer once. */
  answerTo(neighbour: Neighbour): string[] {
    return [...new Set(formats.map((format) => this.#answers.get(`${format} ${nameOf(neighbour)}`) ?? ''))]
  }

  async #send(format: string, neighbours: readonly Neighbour[]): Promise<void> {
    const { http, company, database } = this.#scene
    const body = format.startsWith('SPDX') ? spdx(format, neighbours) : cycloneDx(format, neighbours)
    const { id } = await this.#scene.uploaded(body)
    await drain(database.db, testNow)
    const token = (await createFamilyToken(database.db, company, { kind: 'results' })).secret
    const { body: result } = await call(`${http.url}/api/v1/sboms/${id}?worst=500`, { token })
    const found = readAs(SbomResult, result).worst ?? []
    expect(found.length, 'findings below what a result lists').toBeLessThan(500)
    const states = await this.#statesIn(id)
    for (const neighbour of neighbours) {
      const name = nameOf(neighbour)
      const mine = found.filter(({ component }) => component.name === name)
      const matches = mine.map((match) =>
        match.id === neighbour.record.id ? match.grade : `${match.id} ${match.grade}`,
      )
      const state = states.get(name) ?? 'missing'
      const isDecided = state === 'covered' || state === 'partly_loaded'
      this.#answers.set(`${format} ${name}`, matches.join(' ') || (isDecided ? '-' : state))
    }
  }

  async #statesIn(sbomId: string): Promise<Map<string, string>> {
    const query = {
      workspaceId: this.#scene.company.workspaceId,
      sbomId,
      search: undefined,
      sort: 'name',
    } as const
    return this.#scene.database.db.transaction().execute(async (tx) => {
      const states = new Map<string, string>()
      for await (const rows of allComponents(tx, query))
        for (const { name, decidability } of rows) states.set(name, decidability)
      return states
    })
  }
}

/** Tests the answer to each of them. Returns the scene, for further tests. */
export function testNeighbours(neighbours: readonly Neighbour[]): () => NeighbourScene {
  let scene: NeighbourScene
  beforeAll(async () => {
    scene = await NeighbourScene.open(neighbours)
  }, 240_000)
  afterAll(() => scene.close())

  test.each(neighbours)('$rule', (neighbour) => {
    expect(scene.answerTo(neighbour)).toEqual([neighbour.answer])
  })
  return () => scene
}

function nameOf({ record, component }: Neighbour): string {
  return typeof component['name'] === 'string' ? component['name'] : `component-${record.id}`
}

function cycloneDx(format: string, neighbours: readonly Neighbour[]): string {
  return cyclonedx({
    specVersion: format.split(' ').at(-1),
    components: neighbours.map((one) => ({ type: 'library', ...one.component, name: nameOf(one) })),
  })
}

function spdx(format: string, neighbours: readonly Neighbour[]): string {
  const packages = neighbours.map((one, at) => {
    const { purl, version, supplier, publisher, externalReferences } = one.component
    const [download] = (externalReferences ?? []) as { url: string }[]
    return {
      SPDXID: `SPDXRef-${at}`,
      name: nameOf(one),
      downloadLocation: download?.url ?? 'NOASSERTION',
      ...(publisher === undefined ? {} : { originator: `Organization: ${publisher as string}` }),
      ...(version === undefined ? {} : { versionInfo: version }),
      ...(supplier === undefined ? {} : { supplier: `Organization: ${(supplier as { name: string }).name}` }),
      externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl }],
    }
  })
  return JSON.stringify({
    spdxVersion: format.replace(' ', '-'),
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'product',
    documentNamespace: `https://example.com/spdx/${format}`,
    creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: tool-1'] },
    packages,
  })
}

let serial = 0

/**
 * One per line: `rule | ecosystem | name | versions | purl | answer`. Versions: `<2.0` fixed in 2.0, `<=2.0` last affected, `all`, `=1.0
 * =1.1` an explicit list, or the events of a range as JSON.
 */
export function neighboursIn(table: string): Neighbour[] {
  const lines = table.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => {
    const [rule = '', ecosystem = '', name = '', versions = '', purl = '', answer = ''] = line
      .trim()
      .split(' | ')
    serial += 1
    const affected = { package: { ecosystem, name }, ...versionsOf(versions) }
    const record = {
      id: `OSV-2026-${1_000 + serial}`,
      modified: '2026-01-01T00:00:00Z',
      affected: [affected],
    }
    return { rule, record, component: { purl }, answer }
  })
}

function versionsOf(text: string): object {
  if (text.startsWith('{')) return JSON.parse(text) as object
  if (text.startsWith('=')) return { versions: text.slice(1).split(' =') }
  return { ranges: [{ type: 'ECOSYSTEM', events: eventsOf(text) }] }
}

function eventsOf(text: string): unknown {
  if (text.startsWith('[')) return JSON.parse(text)
  const end = text.startsWith('<=') ? { last_affected: text.slice(2) } : { fixed: text.slice(1) }
  return text === 'all' ? [{ introduced: '0' }] : [{ introduced: '0' }, end]
}
