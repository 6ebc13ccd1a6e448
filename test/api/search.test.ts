import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listComponentUses, searchWorkspace } from '../../src/contract/inventory/operations.ts'
import { listComponents } from '../../src/contract/sbom/operations.ts'
import { exportComponentUses } from '../../src/contract/export-operations.ts'
import { openManually } from '../../src/incidents/openings/open-manually.ts'
import { fillForExport } from '../plans/export-scene.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { call, endBoth, startTestHttp, type TestHttp } from '../support/http.ts'
import { addRecord } from '../support/records.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { fieldOf, readAs } from '../support/read-as.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let owner: AppSession
let viewer: AppSession
let sbomId: string

const log4j = ['2.9.1', '2.14.0', '2.17.0-beta1', '2.17.0', '2.20.0'].map((version) => ({
  type: 'library',
  group: 'org.apache.logging.log4j',
  name: 'log4j-core',
  version,
  purl: `pkg:maven/org.apache.logging.log4j/log4j-core@${version}`,
}))
const bash = ['1:1.0-1', '5.1~rc1-1', '5.1-1'].map((version) => ({
  type: 'library',
  name: 'bash',
  version,
  purl: `pkg:deb/debian/bash@${encodeURIComponent(version)}?distro=debian-12`,
}))
const odd = { type: 'library', name: 'log4j-core-odd', version: '1.0' }

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  const [first, umbrella] = await createScene(store.db)
  acme = first
  for (const workspace of [acme, umbrella]) await fillForExport({ store, http, workspace })
  const sent = await call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: acme.families[1]?.upload ?? '',
    body: JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      components: [...log4j, ...bash, odd].map((part, at) => ({ ...part, 'bom-ref': String(at) })),
    }),
  })
  expect(sent.status).toBe(202)
  sbomId = readAs(SbomReceipt, sent.body).id
  await drain(store.db, testNow)
  owner = await AppSession.signIn(http.url, acme.members.owner)
  viewer = await AppSession.signIn(http.url, acme.members.viewer)
})
afterAll(() => endBoth(http, store))

async function found(words: string, session = owner): Promise<string[]> {
  const body = await session.call(searchWorkspace, { query: { q: words } })
  return body.hits.map(({ kind, label, detail }) => `${kind} ${label} ${detail}`)
}

describe('the search of a workspace', () => {
  it('finds incidents by their title and reference', async () => {
    const [hit = ''] = await found('stolen signing')
    expect(hit).toMatch(/^incident \S+ Stolen signing key of acme$/)
    expect(await found(hit.split(' ')[1] ?? '')).toContain(hit)
  })

  it('finds advisories by their title and tracking id, drafts too', async () => {
    const hits = await found('a draft of acme')
    expect(hits).toEqual([expect.stringMatching(/^advisory \S+ A draft of acme$/)])
    expect(await found(hits[0]?.split(' ')[1] ?? '')).toEqual(hits)
  })

  it('finds reports by number and title, for those who see the inbox', async () => {
    const report = 'report #1 Overflow told to acme'
    expect(await found('told to')).toEqual([report])
    expect(await found('#1')).toContain(report)
    expect(await found('told to', viewer)).toEqual([])
    expect((await found('#1', viewer)).filter((hit) => hit.startsWith('report'))).toEqual([])
  })

  it('names the vulnerability first whose whole id was typed, before incidents about it', async () => {
    await addRecord(store.db, { id: 'CVE-2026-4242', affected: [] })
    const actor = { kind: 'person', id: acme.members.owner.id, name: 'owner' } as const
    const act = { workspaceId: acme.id, actor, now: testNow }
    const title = 'CVE-2026-4242 used against us'
    await openManually(store.db, act, { kind: 'severe_incident', title, families: [] })
    const kinds = async (words: string) => (await found(words)).map((hit) => hit.split(' ')[0])
    expect(await kinds('cve-2026-4242')).toEqual(['vulnerability', 'incident'])
    expect(await kinds('used against us')).toEqual(['incident'])
  })

  it('finds nothing of another workspace', async () => {
    expect(await found('umbrella')).toEqual([])
  })
})

describe('a version in a search', () => {
  const versions = async (search: string) => {
    const body = await owner.call(listComponentUses, { query: { search } })
    return body.rows.map(({ version }) => version)
  }
  const ofSbom = async (search: string) => {
    const body = await owner.call(listComponents, { params: { sbom: sbomId }, query: { search } })
    return body.rows.map(({ version }) => version)
  }
  const cases = [
    ['log4j-core <2.17', ['2.14.0', '2.17.0-beta1', '2.9.1']],
    ['log4j-core<=2.17', ['2.14.0', '2.17.0', '2.17.0-beta1', '2.9.1']],
    ['log4j-core >=2.14 <2.17', ['2.14.0', '2.17.0-beta1']],
    ['log4j-core =2.17', ['2.17.0']],
    ['bash <5.1', ['5.1~rc1-1']],
    ['bash >5.1-1', ['1:1.0-1']],
    ['bash >6', ['1:1.0-1']],
    ['zebra <2', []],
  ] as const

  it.each(cases)('%s is compared by the order of its ecosystem', async (search, expected) => {
    expect((await versions(search)).toSorted()).toEqual([...expected].toSorted())
    expect((await ofSbom(search)).toSorted()).toEqual([...expected].toSorted())
  })

  it('is the same in the search of the workspace and in the file of the list', async () => {
    const hits = await found('log4j-core <2.17')
    expect(hits.map((hit) => hit.split(' ').slice(0, 3).join(' '))).toEqual([
      'component log4j-core 2.9.1',
      'component log4j-core 2.14.0',
      'component log4j-core 2.17.0-beta1',
    ])
    const { body } = await owner.ask(exportComponentUses, {
      query: { search: 'log4j-core <2.17', format: 'json' },
    })
    expect(fieldOf(body, 'rows')).toHaveLength(3)
  })
})

it('searches of one person wait for each other and all are answered', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => owner.ask(searchWorkspace, { query: { q: 'log' } })),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(12).fill(200))
})
