import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ComponentUsePage } from '../../src/contract/inventory/shapes.ts'
import { getCoverage, listComponentUses, searchWorkspace } from '../../src/contract/inventory/operations.ts'
import { compareSboms } from '../../src/contract/sbom/operations.ts'
import { getFamilyHistory } from '../../src/contract/products/operations.ts'
import type { QueryOf } from '../../src/contract/operation.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { addRecord } from '../support/records.ts'
import { npm, type Part } from '../support/parts.ts'
import { addSbom, addVersion } from '../support/rows.ts'
import { endBoth } from '../support/http.ts'
import type { TestWorkspace } from '../support/scene.ts'
import { later } from '../support/clock.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let first: string
let second: string
let foreign: string

type Slot = { of: TestWorkspace; at: number; versionId: string }

async function upload({ of, at, versionId }: Slot, parts: Part[], day: number): Promise<string> {
  const family = { workspaceId: of.id, familyId: of.families[at]?.id ?? '' }
  const now = later(day * 24 * 60)
  const id = await addSbom(store.db, family, { versionId, parts, now })
  await matchSbom(store.db, { workspaceId: of.id, sbomId: id, now })
  return id
}

async function slot(of: TestWorkspace, at: number): Promise<Slot> {
  const family = { workspaceId: of.id, familyId: of.families[at]?.id ?? '' }
  return { of, at, versionId: await addVersion(store.db, family, '1.0') }
}

const digest = `sha256:${'cd'.repeat(32)}`
const many = Array.from({ length: 130 }, (_, at) => npm(`part-${String(at).padStart(3, '0')}`, '1.0.0'))

let { store, http, acme, umbrella, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, umbrella, owner } = await openAppScene({ switchedOff: ['osv'] }))
  for (const name of ['apple', 'pear']) {
    await addRecord(store.db, {
      id: `GHSA-${name}-0001`,
      affected: [{ ecosystem: 'npm', name, scheme: 'semver', ranges: [['0', '2.0.0']] }],
    })
  }
  const pump = await slot(acme, 0)
  first = await upload(
    pump,
    [npm('apple', '1.0.0'), npm('fig', '1.0.0', { hashes: ['sha256:ab12'] }), npm('kiwi', '1.0.0')],
    1,
  )
  second = await upload(
    pump,
    [
      npm('apple', '2.0.0'),
      npm('fig', '1.0.0', { hashes: ['sha256:ab12'] }),
      npm('pear', '1.0.0', { hashes: [digest] }),
    ],
    3,
  )
  await upload(await slot(acme, 1), [...many, npm('apple', '2.0.0')], 3)
  foreign = await upload(await slot(umbrella, 0), [npm('apple', '1.5.0'), npm('secret-part', '1.0.0')], 1)
})
afterAll(() => endBoth(http, store))

const components = (query: QueryOf<typeof listComponentUses>) => owner.call(listComponentUses, { query })

describe('the components of all products', () => {
  it('says where a component is used at present', async () => {
    const page = await components({ search: 'apple' })
    expect(page).toMatchObject({ total: 2, isLowerBound: false, nextCursor: null })
    expect(page.rows.map(({ family, version }) => `${family.name} ${version}`).sort()).toEqual([
      'Pump 1 2.0.0',
      'Pump 2 2.0.0',
    ])
    expect((await components({ search: 'pear' })).rows).toMatchObject([
      { name: 'pear', productVersion: '1.0', sbomId: second, findings: 1, family: { name: 'Pump 1' } },
    ])
  })

  it.each([
    ['?search=kiwi', []],
    ['?search=secret', []],
    ['?search=FIG%201.0', ['fig']],
    ['?search=pkg:npm/fig@1.0.0', ['fig']],
    ['?search=%25', []],
    ['?search=_', []],
    ['?hash=AB12', ['fig']],
    ['?hash=sha256:ab12', ['fig']],
    [`?hash=SHA-256:${'CD'.repeat(32)}`, ['pear']],
    [`?hash=sha256-${encodeURIComponent(Buffer.from('cd'.repeat(32), 'hex').toString('base64'))}`, ['pear']],
    [`?hash=SHA-512:${'CD'.repeat(32)}`, []],
    ['?hash=ab1', []],
    ['?hash=ab12&search=pear', []],
  ])('%s → %j', async (query, names) => {
    const asked = Object.fromEntries(new URLSearchParams(query))
    expect((await components(asked)).rows.map(({ name }) => name)).toEqual(names)
  })

  it('pages through all of them once', async () => {
    const names: string[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const page: ComponentUsePage = await components({ cursor })
      expect(page.total).toBe(134)
      names.push(...page.rows.map(({ family, name }) => `${name} of ${family.name}`))
      cursor = page.nextCursor
    }
    expect(names).toHaveLength(134)
    expect(new Set(names).size).toBe(134)
  })

  it.each(['abc', Buffer.from('["a","b",1,"c",1,0]').toString('base64url')])(
    'refuses the cursor %s',
    async (cursor) => {
      expect((await owner.refused(listComponentUses, { query: { cursor } })).status).toBe(400)
    },
  )
})

describe('what was judged', () => {
  it('is counted over the active SBOMs', async () => {
    expect(await owner.call(getCoverage)).toEqual({
      sboms: 2,
      coverage: {
        covered: 0,
        notCovered: 0,
        noVersion: 0,
        uncomparable: 0,
        releaseUnknown: 0,
        dataNotLoaded: 134,
        partlyLoaded: 0,
        noSource: 0,
        sourceUnknown: 0,
      },
      data: { records: false, catalogues: false, switchedOff: ['OSV'] },
      reasons: [{ state: 'dataNotLoaded', ecosystem: 'npm', reason: null, components: 134 }],
      lost: null,
    })
  })
})

describe('the history of a family', () => {
  it('tells per day what opened and closed', async () => {
    const { days } = await owner.call(getFamilyHistory, { params: { family: acme.families[0]?.id } })
    expect(days).toEqual([
      { day: '2026-01-02', opened: 1, reopened: 0, closed: 0, settled: 0, open: 1 },
      { day: '2026-01-04', opened: 1, reopened: 0, closed: 1, settled: 0, open: 1 },
    ])
  })
})

describe('the comparison of two SBOMs', () => {
  it('pairs versions of one component, and names the vulnerabilities of one side only', async () => {
    const comparison = await owner.call(compareSboms, { params: { sbom: second, other: first } })
    expect(comparison).toMatchObject({
      before: { id: first, components: 3 },
      after: { id: second, family: { name: 'Pump 1' }, version: '1.0' },
      components: { added: 1, removed: 1, changed: 1 },
      findings: { added: 1, removed: 1, kept: 0 },
    })
    expect(comparison.components.rows.map(({ change, name, from, to }) => [change, name, from, to])).toEqual([
      ['changed', 'apple', '1.0.0', '2.0.0'],
      ['added', 'pear', null, '1.0.0'],
      ['removed', 'kiwi', '1.0.0', null],
    ])
    expect(comparison.findings.rows).toMatchObject([
      { change: 'added', title: 'GHSA-pear-0001', component: { name: 'pear', version: '1.0.0' } },
      { change: 'removed', title: 'GHSA-apple-0001', component: { name: 'apple', version: '1.0.0' } },
    ])
  })

  it('shows an SBOM no difference from itself, and nothing of another workspace', async () => {
    expect(await owner.call(compareSboms, { params: { sbom: second, other: second } })).toMatchObject({
      components: { added: 0, removed: 0, changed: 0, rows: [] },
      findings: { added: 0, removed: 0, kept: 1, rows: [] },
    })
    for (const [sbom, other] of [
      [second, foreign],
      [foreign, second],
    ])
      expect((await owner.refused(compareSboms, { params: { sbom, other } })).status).toBe(404)
  })
})

describe('the search of the workspace', () => {
  const labels = async (words: string) =>
    (await owner.call(searchWorkspace, { query: { q: words } })).hits.map(
      ({ kind, label }) => `${kind} ${label}`,
    )

  it.each([
    ['pump 2', ['family Pump 2']],
    ['apple', ['component apple 2.0.0']],
    ['PEAR', ['vulnerability GHSA-pear-0001', 'component pear 1.0.0']],
    ['GHSA-apple-0001', ['vulnerability GHSA-apple-0001']],
    ['GHSA-none-0001', []],
    ['secret', []],
    ['p', []],
    ['', []],
  ])('%j → %j', async (words, found) => {
    expect(await labels(words)).toEqual(found)
  })

  it('knows an SBOM by its id, of this workspace only', async () => {
    expect(await labels(first)).toEqual(['sbom Pump 1 1.0'])
    expect(await labels(foreign)).toEqual([])
  })
})
