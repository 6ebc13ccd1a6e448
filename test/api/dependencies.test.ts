import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FindingPage } from '../../src/contract/findings/lists.ts'
import type { DependencyPage, DependencyPaths } from '../../src/contract/dependencies/shapes.ts'
import {
  explainDependency,
  getDependencies,
  listDependencies,
} from '../../src/contract/dependencies/operations.ts'
import { listFindingIds, listFindings } from '../../src/contract/sbom/operations.ts'
import { exportFindings } from '../../src/contract/export-operations.ts'
import type { QueryOf } from '../../src/contract/operation.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { call, endBoth } from '../support/http.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { readAs } from '../support/read-as.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let { store, http, acme, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, owner } = await openAppScene({ switchedOff: ['osv'] }))
  for (const [name, severity] of [
    ['log', 'critical'],
    ['lonely', 'high'],
    ['web', 'low'],
  ] as const) {
    await addRecord(store.db, {
      id: `GHSA-${name}`,
      aliases: name === 'log' ? ['CVE-2026-0001'] : [],
      severity,
      affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', '2.0.0']] }],
    })
  }
  await addExploited(store.db, { source: 'kev', cveId: 'CVE-2026-0001' })
})
afterAll(() => endBoth(http, store))

type Links = Record<string, string[]>
type Found = FindingPage['rows'][number]
type Sent = { names: string[]; links?: Links; version: string; metadata?: object }

const component = (name: string) => ({
  type: 'library',
  name,
  version: '1.0.0',
  purl: `pkg:npm/${name}@1.0.0`,
  'bom-ref': name,
})
const named = { component: { type: 'application', name: 'pump', version: '7', 'bom-ref': 'root' } }

/** Uploads an SBOM through the API and has it matched; returns its id. */
async function send({ names, links, version, metadata = named }: Sent): Promise<string> {
  const answer = await call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: acme.families[0]?.upload ?? '',
    headers: { 'x-service-version': version },
    body: JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata,
      components: names.map(component),
      ...(links && { dependencies: Object.entries(links).map(([ref, dependsOn]) => ({ ref, dependsOn })) }),
    }),
  })
  expect(answer).toMatchObject({ status: 202 })
  await drain(store.db, testNow)
  return readAs(SbomReceipt, answer.body).id
}

/** As stored by an earlier release: its dependencies are only in the file. */
async function sendBefore(sent: Sent): Promise<string> {
  const sbom = await send(sent)
  await store.db.updateTable('sbom').set({ dependency_graph: null }).where('id', '=', sbom).execute()
  return sbom
}

const tree = (sbom: string) => owner.call(getDependencies, { params: { sbom } })
const list = (sbom: string, query: QueryOf<typeof listDependencies> = {}) =>
  owner.call(listDependencies, { params: { sbom }, query })
const namesOf = ({ rows }: DependencyPage) => rows.map(({ name }) => name)

async function numberOf(sbom: string, name: string): Promise<number> {
  const { rows } = await list(sbom, { search: name })
  return rows.find((row) => row.name === name)?.number ?? 0
}
const why = async (sbom: string, name: string) =>
  owner.call(explainDependency, { params: { sbom }, query: { component: await numberOf(sbom, name) } })
const shown = ({ paths }: DependencyPaths) => paths.map((steps) => steps.map(({ name }) => name).join(' > '))

const pump: Omit<Sent, 'version'> = {
  names: ['web', 'json', 'log', 'yaml', 'lonely', 'plain'],
  links: { root: ['web', 'json'], web: ['yaml'], yaml: ['log', 'web'], json: ['log'], lonely: ['plain'] },
}

describe('the tree of an SBOM', () => {
  let sbom: string
  beforeAll(async () => {
    sbom = await send({ ...pump, version: 'tree' })
  })

  it('says how much of the SBOM it holds', async () => {
    expect(await tree(sbom)).toEqual({
      start: 'product',
      product: { name: 'pump', version: '7' },
      components: 6,
      links: 7,
      linksLeftOut: 0,
      first: 2,
      reached: 4,
      unreached: 2,
      unreachedWithFindings: 1,
    })
  })

  it('begins with what the product depends on, and goes on step by step', async () => {
    const first = await list(sbom)
    expect(first.rows).toMatchObject([
      { name: 'json', steps: 1, dependencies: 1, findings: 0, severity: null, severityBelow: 'critical' },
      { name: 'web', steps: 1, dependencies: 1, findings: 1, severity: 'low', severityBelow: 'critical' },
    ])
    expect(first).toMatchObject({ total: 2, nextCursor: null })
    const below = await list(sbom, { of: await numberOf(sbom, 'yaml') })
    expect(below.rows).toMatchObject([
      { name: 'log', steps: 2, dependencies: 0, findings: 1, severity: 'critical', isExploited: true },
      { name: 'web', steps: 1 },
    ])
    expect(namesOf(await list(sbom, { of: await numberOf(sbom, 'plain') }))).toEqual([])
  })

  it('finds components by name wherever they are, and lists apart what no path reaches', async () => {
    expect(namesOf(await list(sbom, { search: 'L' }))).toEqual(['log', 'lonely', 'plain', 'yaml'])
    const apart = await list(sbom, { among: 'unreached' })
    expect(apart.rows).toMatchObject([
      { name: 'lonely', steps: null, severity: 'high', dependencies: 1 },
      { name: 'plain', steps: null, severity: null },
    ])
    expect(namesOf(await list(sbom, { among: 'unreached', search: 'lon' }))).toEqual(['lonely'])
  })

  it('says why a component is there', async () => {
    const log = await why(sbom, 'log')
    expect(shown(log)).toEqual(['json > log', 'web > yaml > log'])
    expect(log).toMatchObject({
      component: { name: 'log', severity: 'critical' },
      through: { total: 2, rows: [{ name: 'web' }, { name: 'json' }] },
      dependents: 2,
    })
    expect(await why(sbom, 'plain')).toMatchObject({ paths: [], through: { total: 0 }, dependents: 1 })
  })

  it('knows only components of the SBOM', async () => {
    const other = await send({ names: ['elsewhere'], version: 'other' })
    const number = await numberOf(other, 'elsewhere')
    for (const answer of [
      await owner.refused(listDependencies, { params: { sbom }, query: { of: number } }),
      await owner.refused(explainDependency, { params: { sbom }, query: { component: number } }),
    ]) {
      expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
    }
    const unnamed = await owner.refused(explainDependency, { params: { sbom } })
    expect(unnamed).toMatchObject({ status: 400, body: { fields: { component: 'This field is required.' } } })
  })

  it('is read from the file of an SBOM that was stored before it was kept, once', async () => {
    const older = await sendBefore({ ...pump, version: 'older', metadata: { ...named, authors: [] } })
    const read = async (id: string) => [await tree(id), await list(id), shown(await why(id, 'log'))]
    const kept = (id: string) =>
      store.db
        .selectFrom('sbom')
        .select('dependency_graph')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
        .then((row) => row.dependency_graph?.toString('hex'))
    expect(await read(older)).toEqual(await read(sbom))
    expect(await kept(older)).toBe(await kept(sbom))
  })
})

describe('a document that says less', () => {
  it('states no dependencies', async () => {
    const sbom = await send({ names: ['a', 'b'], version: 'none' })
    expect(await tree(sbom)).toMatchObject({ start: 'nowhere', links: 0, first: 0, reached: 0, unreached: 2 })
    expect(namesOf(await list(sbom))).toEqual([])
  })

  it('does not name its product: the tree begins at what nothing depends on', async () => {
    const links = { a: ['b'], b: ['c'] }
    const sbom = await send({ names: ['a', 'b', 'c', 'd'], links, version: 'top', metadata: {} })
    expect(await tree(sbom)).toMatchObject({
      start: 'top',
      product: null,
      first: 1,
      reached: 3,
      unreached: 1,
    })
    expect(namesOf(await list(sbom))).toEqual(['a'])
    expect(shown(await why(sbom, 'c'))).toEqual(['a > b > c'])
  })

  it('links everything in a ring', async () => {
    const sbom = await send({
      names: ['a', 'b'],
      links: { a: ['b'], b: ['a'] },
      version: 'ring',
      metadata: {},
    })
    expect(await tree(sbom)).toMatchObject({ start: 'top', first: 0, unreached: 2 })
  })

  it('states more links than are kept', async () => {
    const names = Array.from({ length: 500 }, (_, at) => `n${at}`)
    const links = Object.fromEntries(names.map((name) => [name, names]))
    const sbom = await send({ names, links: { root: ['n0'], ...links }, version: 'many' })
    const { links: kept, linksLeftOut, reached } = await tree(sbom)
    expect(kept).toBe(200_000)
    expect(linksLeftOut).toBeGreaterThan(45_000)
    expect(reached).toBe(500)
    expect(shown(await why(sbom, 'n7')).length).toBe(5)
    const second = await list(sbom, { of: await numberOf(sbom, 'n0') })
    expect(second).toMatchObject({ total: 499 })
    expect(second.rows.length).toBe(100)
    const next = await list(sbom, {
      of: await numberOf(sbom, 'n0'),
      cursor: second.nextCursor ?? undefined,
    })
    expect(namesOf(next)).not.toContain(second.rows.at(-1)?.name)
  })
})

describe('the findings of an SBOM', () => {
  let sbom: string
  const through = ({ component, directDependency }: Found) => [component.name, directDependency?.name ?? null]
  beforeAll(async () => {
    const component = { ...named.component, version: '8' }
    sbom = await send({ ...pump, version: 'findings', metadata: { component } })
  })

  it('say which direct dependency they come in through, on a shortest way', async () => {
    const { rows, through: filter } = await owner.call(listFindings, { params: { sbom } })
    expect(new Map(rows.map(through) as [string, string | null][])).toEqual(
      new Map([
        ['log', 'json'],
        ['web', 'web'],
        ['lonely', null],
      ]),
    )
    expect(filter).toBeNull()
  })

  it.each([
    ['json', ['log']],
    ['web', ['log', 'web']],
    ['yaml', ['log', 'web']],
    ['plain', []],
  ])('are found by what they come in through: %s', async (name, expected) => {
    const number = await numberOf(sbom, name)
    const page = await owner.call(listFindings, { params: { sbom }, query: { through: number } })
    expect(page.rows.map(({ component }) => component.name).sort()).toEqual(expected)
    expect(page).toMatchObject({ total: expected.length, through: { number, name } })
    const ids = await owner.call(listFindingIds, { params: { sbom }, query: { through: number } })
    expect(ids.ids.sort()).toEqual(page.rows.map(({ id }) => id).sort())
    const file = await owner.open(exportFindings, {
      params: { sbom },
      query: { format: 'csv', through: number },
    })
    const lines = (await file.body.text()).trim().split('\r\n').slice(1)
    // where nothing was found, one line says how much was checked
    expect(lines).toHaveLength(Math.max(expected.length, 1))
  })

  it('refuse a component that the SBOM does not have', async () => {
    const other = await numberOf(await send({ names: ['abroad'], version: 'abroad' }), 'abroad')
    for (const number of [other, 99_999]) {
      const answer = await owner.refused(listFindings, { params: { sbom }, query: { through: number } })
      expect(answer.status).toBe(404)
    }
  })

  it('of an SBOM from before say nothing until its dependencies have been read', async () => {
    const number = await numberOf(sbom, 'json')
    const params = {
      sbom: await sendBefore({ ...pump, version: 'before', metadata: { ...named, licenses: [] } }),
    }
    const { rows } = await owner.call(listFindings, { params })
    expect(rows.map(({ directDependency }) => directDependency)).toEqual([null, null, null])
    expect((await owner.call(listFindings, { params, query: { through: number } })).total).toBe(1)
  })
})
