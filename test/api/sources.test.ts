import { afterAll, beforeAll, expect, it } from 'vitest'
import { listSources } from '../../src/contract/sources/operations.ts'
import { getCoverage } from '../../src/contract/inventory/operations.ts'
import { getSbom } from '../../src/contract/sbom/operations.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { AppSession } from '../support/app-session.ts'
import { later, testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { npm, type Part } from '../support/parts.ts'
import { addSbom, addVersion } from '../support/rows.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { importDeps, mirrorOf, record, serve, type WebServer } from '../vulndata/support.ts'

let store: TestDatabase
let http: TestHttp
let server: WebServer
let acme: TestWorkspace
let umbrella: TestWorkspace
let conanSbom: string
let owner: AppSession
let stranger: AppSession

const conan: Part = { ...npm('zlib', '1.2.11'), ecosystem: 'ConanCenter' }

async function upload(of: TestWorkspace, parts: Part[]): Promise<string> {
  const family = { workspaceId: of.id, familyId: of.families[0]?.id ?? '' }
  const versionId = await addVersion(store.db, family, '1.0')
  const id = await addSbom(store.db, family, { versionId, parts, now: testNow })
  await matchSbom(store.db, { workspaceId: of.id, sbomId: id, now: testNow })
  return id
}

beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  server = await serve(mirrorOf('npm', [record('OSV-2025-1', 'npm/one')]))
  ;[acme, umbrella] = await createScene(store.db)
  await upload(acme, [npm('one', '1.0.0')])
  conanSbom = await upload(umbrella, [conan])
  owner = await AppSession.signIn(http.url, acme.members.owner)
  stranger = await AppSession.signIn(http.url, umbrella.members.owner)
})
afterAll(async () => {
  server.close()
  await http.stop()
  await store.drop()
})

const refresh = (minutes: number) =>
  refreshSource(importDeps(store.db, { osv: server.url }), { source: 'osv', now: later(minutes) })

const states = async (session: AppSession) =>
  Object.fromEntries((await session.call(listSources)).sources.map(({ name, state }) => [name, state]))

it('before the first attempt every source is one that was never loaded', async () => {
  expect(await states(owner)).toEqual({
    'amazon-linux': 'never',
    'cve-list': 'never',
    epss: 'never',
    eukev: 'never',
    euvd: 'never',
    euvdMapping: 'never',
    fedora: 'never',
    kev: 'never',
    nvd: 'never',
    'oracle-linux': 'never',
    'osv:npm': 'never',
    'redhat-vex': 'never',
    vulnrichment: 'never',
  })
})

it('an ecosystem that the mirror does not have is not a source, and counts once the mirror has it', async () => {
  await refresh(1)
  expect(await states(stranger)).toMatchObject({ 'osv:ConanCenter': 'no_source' })
  expect((await stranger.call(getCoverage)).coverage).toMatchObject({
    noSource: 1,
    dataNotLoaded: 0,
    covered: 0,
  })
  expect((await stranger.call(getSbom, { params: { sbom: conanSbom } })).coverage).toMatchObject({
    noSource: 1,
  })
  const known = mirrorOf('ConanCenter', [record('OSV-2025-2', 'ConanCenter/zlib')])
  for (const [path, content] of Object.entries(known)) server.files.set(path, content)
  await refresh(20)
  expect(await states(stranger)).toMatchObject({ 'osv:ConanCenter': 'ok' })
  expect((await stranger.call(getSbom, { params: { sbom: conanSbom } })).coverage).toMatchObject({
    covered: 1,
    noSource: 0,
  })
})

it('no workspace reads which ecosystems others use, not even in the error of a shared source', async () => {
  server.files.set('ConanCenter/modified_id.csv', 503)
  await refresh(40)
  const own = await stranger.call(listSources)
  expect(own.sources).toContainEqual(
    expect.objectContaining({
      name: 'osv:ConanCenter',
      state: 'failing',
      failingSince: later(40).toISOString(),
    }),
  )
  for (const read of [listSources, getCoverage])
    expect(JSON.stringify(await owner.call(read))).not.toContain('Conan')
  expect(await states(owner)).toMatchObject({ 'osv:npm': 'ok' })
})
