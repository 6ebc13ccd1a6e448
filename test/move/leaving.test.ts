import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeCompany } from '../../src/contract/workspace/company-operations.ts'
import { getWorkspace } from '../../src/contract/workspace/operations.ts'
import { invite } from '../../src/contract/people/operations/members.ts'
import { refuseClosed } from '../../src/disclosure/reports/receive-report.ts'
import { originalColumns } from '../../src/cli/operation/objects.ts'
import { originalsInDatabase } from '../../src/originals/originals.ts'
import { packWorkspace } from '../../src/move/pack-workspace.ts'
import {
  discardWorkspace,
  freezeWorkspace,
  redirectWorkspace,
  unfreezeWorkspace,
} from '../../src/workspace/moving.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { call, startTestHttp, testSealing, type TestHttp } from '../support/http.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { newRing, onProgress, operator } from './move-scene.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textWith } from '../support/expected.ts'

const origin = 'https://new.example'
let now = testNow
let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let umbrella: TestWorkspace
let folder: string
let files = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaving-'))
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => now })
  ;[acme, umbrella] = await createScene(store.db)
  await drain(store.db, now)
})
afterAll(async () => {
  await http.stop()
  await store.drop()
  await rm(folder, { recursive: true })
})

const act = (workspace = acme) => ({ workspaceId: workspace.id, actor: operator, now })
const redirect = (until: Date | null = null) => redirectWorkspace(store.db, { ...act(), origin, until })
const pack = async (patienceMs = 0, file = `${(files += 1)}.gz`) =>
  packWorkspace(store, {
    workspaceId: acme.id,
    file: join(folder, file),
    sealing: testSealing,
    originals: originalsInDatabase,
    originalColumns: await originalColumns(),
    transport: newRing(),
    clock: () => now,
    actor: operator,
    patienceMs,
    onProgress,
  })
const send = (workspace: TestWorkspace) =>
  call(`${http.url}/api/v1/sboms`, {
    method: 'POST',
    token: workspace.families[0]?.upload ?? '',
    body: sampleSbom({ components: 1, serial: 1 }),
  })
const get = (path: string, method = 'GET') => fetch(`${http.url}${path}`, { method, redirect: 'manual' })

describe('a workspace that is frozen', () => {
  it('receives nothing, and says why; the other one goes on', async () => {
    await freezeWorkspace(store.db, act())
    expect(await send(acme)).toMatchObject({
      status: 402,
      body: { message: textWith('is being moved to another installation') },
    })
    expect(await send(umbrella)).toMatchObject({ status: 202 })
    const report = store.db.transaction().execute((tx) => refuseClosed(tx, acme.id, now))
    await expect(report).rejects.toMatchObject({ code: 'not_configured' })
    expect((await get('/disclose/acme')).status).toBe(200)
    const owner = await AppSession.signIn(http.url, acme.members.owner)
    expect(await owner.call(getWorkspace)).toMatchObject({ state: 'moving', movedTo: null })
    // not even acts that work read-only
    expect(
      (await owner.refused(invite, { body: { email: 'new@acme.example', role: 'viewer' } })).status,
    ).toBe(402)
  })

  it('is used again when the move is given up', async () => {
    await unfreezeWorkspace(store.db, act())
    expect(await send(acme)).toMatchObject({ status: 202 })
  })

  it('waits for its jobs before it is written, and says which are left', async () => {
    await expect(pack()).rejects.toMatchObject({
      code: 'not_ready',
      message: textWith('match_sbom'),
    })
    await drain(store.db, now)
    await pack()
  })

  it('stays so when it cannot be written, and the operator is told', async () => {
    await unfreezeWorkspace(store.db, act())
    await drain(store.db, now)
    await expect(pack(0, 'none/1.gz')).rejects.toMatchObject({
      code: 'file_unusable',
      message: textWith(
        'The workspace stays frozen: export again, or give the move up with "workspace unfreeze".',
      ),
    })
    expect(await send(acme)).toMatchObject({ status: 402 })
  })
})

describe('a redirect', () => {
  it('is refused before an export, and after something that the archive lacks', async () => {
    await unfreezeWorkspace(store.db, act())
    await expect(redirect()).rejects.toMatchObject({ code: 'conflict' })
    await drain(store.db, now)
    await pack()
    await store.db
      .insertInto('audit_event')
      .values({
        workspace_id: acme.id,
        at: now,
        actor_kind: 'person',
        actor_name: 'late',
        action: 'member.removed',
        object_kind: 'person',
        object_id: 'x',
        before: null,
        after: null,
      })
      .execute()
    await expect(redirect()).rejects.toThrow(/member\.removed.*export again/)
    // a failed export changes nothing about that
    files -= 1
    await expect(pack()).rejects.toMatchObject({ code: 'file_unusable' })
    await expect(redirect()).rejects.toThrow(/member\.removed.*export again/)
    files += 1
    await pack()
    await redirect()
  })

  it('leads every public address to the same path, with its method', async () => {
    for (const path of [
      '/disclose/acme',
      '/disclose/acme/security.txt',
      '/disclose/acme/.well-known/security.txt',
      '/disclose/acme/reports/abc',
      '/disclose/acme/advisories?page=2',
      '/disclose/acme/advisories.atom',
      '/csaf/acme/provider-metadata.json',
      '/csaf/acme/white/2026/acme-sa-2026-0001.json',
    ]) {
      const answer = await get(path)
      expect({ path, status: answer.status, location: answer.headers.get('location') }).toEqual({
        path,
        status: 308,
        location: origin + path,
      })
    }
    expect((await get('/disclose/acme', 'POST')).status).toBe(308)
    expect((await get('/csaf/acme/provider-metadata.json', 'HEAD')).status).toBe(308)
    expect((await get('/csaf/umbrella/provider-metadata.json')).status).toBe(200)
    expect((await get('/csaf/nobody/provider-metadata.json')).status).toBe(404)
  })

  it('refuses tokens with the new address, and members read where it is', async () => {
    expect(await send(acme)).toMatchObject({
      status: 401,
      body: { error: 'unauthorized', message: textWith(origin) },
    })
    const owner = await AppSession.signIn(http.url, acme.members.owner)
    expect(await owner.call(getWorkspace)).toMatchObject({ state: 'moved', movedTo: origin })
  })

  it('ends with its day', async () => {
    await redirect(new Date(now.getTime() + 1_000))
    expect((await get('/disclose/acme')).status).toBe(308)
    now = new Date(now.getTime() + 1_000)
    expect((await get('/disclose/acme')).status).toBe(404)
    await redirect()
    expect((await get('/disclose/acme')).status).toBe(308)
  })

  it('stays when the copy is discarded, which nothing else may be', async () => {
    await expect(discardWorkspace(store.db, act(umbrella))).rejects.toMatchObject({ code: 'conflict' })
    await discardWorkspace(store.db, act())
    await drain(store.db, now)
    const left = await store.db.selectFrom('workspace').select('slug').execute()
    expect(left).toEqual([{ slug: 'umbrella' }])
    expect((await get('/csaf/acme/provider-metadata.json')).headers.get('location')).toBe(
      `${origin}/csaf/acme/provider-metadata.json`,
    )
    expect((await send(acme)).status).toBe(401)
    await expect(createScene(store.db)).rejects.toThrow()
  })

  it('keeps its address from a workspace that is renamed, until it has ended', async () => {
    const owner = await AppSession.signIn(http.url, umbrella.members.owner)
    expect(await owner.refused(changeCompany, { body: { slug: 'acme' } })).toMatchObject({
      status: 400,
      body: { fields: { slug: 'This address is taken.' } },
    })
    expect((await get('/disclose/acme')).status).toBe(308)
    await store.db.updateTable('moved_address').set({ until: now }).execute()
    expect(await owner.call(changeCompany, { body: { slug: 'acme' } })).toMatchObject({ slug: 'acme' })
    expect((await get('/disclose/acme')).status).toBe(200)
  })
})
