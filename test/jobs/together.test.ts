import pino from 'pino'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { claimBeside } from '../../src/queue/claim-beside.ts'
import { claimJob, type ClaimedJob } from '../../src/queue/claim.ts'
import { failJob, recoverJobs, returnJob } from '../../src/queue/settle.ts'
import { drainQueue } from '../../src/queue/drain-queue.ts'
import type { Tasks } from '../../src/queue/run-next.ts'
import { listenTo } from '../../src/platform/postgres/listen.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { testNow } from '../support/clock.ts'
import { payloadOf } from '../support/payloads.ts'

const log = pino({ level: 'silent' })
const one = '00000000-0000-7000-8000-000000000001'
const two = '00000000-0000-7000-8000-000000000002'
const claim = { now: testNow, worker: 'w' }

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())
afterEach(async () => {
  await store.db.deleteFrom('job').execute()
})

type Sbom = { family?: string; workspaceId?: string; runAt?: Date }

/** Enqueues the matching of one SBOM, named in its payload. */
async function order(sbomId: string, { family = 'f', workspaceId = one, runAt = testNow }: Sbom = {}) {
  const payload = { workspaceId, familyId: family, sbomId }
  await enqueueJob(store.db, { kind: 'match_sbom', key: sbomId, workspaceId, payload, runAt })
}

/** Claims a run and ends it: its family has to wait meanwhile. */
async function run(): Promise<string[]> {
  const ids = await claimRun()
  await store.db.deleteFrom('job').where('state', '=', 'running').execute()
  return ids
}

async function claimRun(): Promise<string[]> {
  const first = await claimJob(store.db, { ...claim, except: [], ignoreBackoff: true })
  if (first === undefined) return []
  return [first, ...(await claimBeside(store.db, first, claim))].map(sbomOf)
}

const sbomOf = (job: ClaimedJob) => payloadOf('match_sbom', job).sbomId

test('the SBOMs of a family that wait together are one run, in their order', async () => {
  for (const sbomId of ['a', 'b', 'c']) await order(sbomId)
  expect(await claimRun()).toEqual(['a', 'b', 'c'])
  expect(await claimRun()).toEqual([])
})

test('another family, another workspace and what is not due yet are left for runs of their own', async () => {
  await order('a')
  await order('b', { family: 'other' })
  await order('c', { workspaceId: two })
  await order('d', { runAt: new Date(testNow.getTime() + 3_600_000) })
  await order('e')
  expect(await claimRun()).toEqual(['a', 'e'])
})

test('a run has a bound, and a thousand of one workspace do not delay the one of another', async () => {
  for (let number = 0; number < 60; number += 1) await order(`many-${number}`)
  await order('single', { workspaceId: two })
  expect(await claimRun()).toHaveLength(25)
  expect(await run()).toEqual(['single'])
  expect(await run()).toHaveLength(25)
  expect(await run()).toHaveLength(10)
})

test('workers are told of what arrives, but not for a family at work, which asks again itself', async () => {
  const told: string[] = []
  const listener = listenTo(store.direct, { channels: { job: () => told.push('job') }, log })
  const heard = (count: number) => vi.waitFor(() => expect(told).toHaveLength(count), { timeout: 30_000 })
  try {
    await heard(1) // listening has started
    await order('a')
    await heard(2)
    await claimRun()
    await order('b')
    await order('c', { family: 'other' })
    await order('d', { workspaceId: two })
    await heard(4)
    await store.db.deleteFrom('job').where('state', '=', 'running').execute()
    await order('e')
    await heard(5)
  } finally {
    await listener.stop()
  }
})

test('while a family is at work, what arrives for it waits for the next run; other families do not', async () => {
  await order('a')
  expect(await claimRun()).toEqual(['a'])
  for (const sbomId of ['b', 'c']) await order(sbomId)
  await order('d', { family: 'other' })
  expect(await claimRun()).toEqual(['d'])
  expect(await claimRun()).toEqual([])
  await store.db.deleteFrom('job').where('state', '=', 'running').execute()
  expect(await claimRun()).toEqual(['b', 'c'])
})

test('what has failed before runs alone, so that it takes no other with it', async () => {
  for (const sbomId of ['a', 'b']) await order(sbomId)
  const first = await claimJob(store.db, { ...claim, except: [], ignoreBackoff: false })
  if (first === undefined) throw new Error('nothing was due')
  await failJob(store.db, first, { worker: 'w', message: 'broken', now: testNow })
  await order('c')
  const runs = [await run(), await run()]
  expect(runs).toContainEqual(['a'])
  expect(runs).toContainEqual(['b', 'c'])
})

test('what was lost with its process is made up for together, and runs alone when that happens again', async () => {
  for (const sbomId of ['a', 'b', 'c']) await order(sbomId)
  const lose = async () => {
    await store.db
      .updateTable('job')
      .set({ leased_until: new Date(0) })
      .where('state', '=', 'running')
      .execute()
    await recoverJobs(store.db)
  }
  expect(await claimRun()).toEqual(['a', 'b', 'c'])
  await lose()
  expect(await claimRun()).toEqual(['a', 'b', 'c'])
  await lose()
  for (const sbomId of ['a', 'b', 'c']) expect(await run()).toEqual([sbomId])
})

test('what lost its session with the database is made up for together', async () => {
  for (const sbomId of ['a', 'b']) await order(sbomId)
  const first = await claimJob(store.db, { ...claim, except: [], ignoreBackoff: false })
  if (first === undefined) throw new Error('nothing was due')
  for (const job of [first, ...(await claimBeside(store.db, first, claim))])
    await returnJob(store.db, job, { worker: 'w', message: 'Connection terminated unexpectedly' })
  expect(await run()).toEqual(['a', 'b'])
})

test('jobs of other kinds, and those that name no family, run alone', async () => {
  const payload = { workspaceId: one, familyId: 'f' }
  for (const key of ['f', 'g'])
    await enqueueJob(store.db, {
      kind: 'purge_family',
      key,
      workspaceId: one,
      payload,
      runAt: testNow,
    })
  for (const sbomId of ['a', 'b']) {
    const old = { workspaceId: one, sbomId }
    await enqueueJob(store.db, {
      kind: 'match_sbom',
      key: sbomId,
      workspaceId: one,
      payload: old,
      runAt: testNow,
    })
  }
  for (let count = 0; count < 4; count += 1) expect(await run()).toHaveLength(1)
})

test('refreshes of a workspace go along with the first of them, eight in a run, while others go on', async () => {
  for (let number = 0; number < 12; number += 1) {
    const familyId = `f${number}`
    const payload = { workspaceId: number === 11 ? two : one, familyId }
    const job = { kind: 'refresh_findings' as const, key: familyId, ...payload, payload, runAt: testNow }
    await enqueueJob(store.db, job)
  }
  const runs = []
  for (let count = 0; count < 3; count += 1) runs.push(await claimRun())
  expect(runs.map(({ length }) => length).toSorted()).toEqual([1, 3, 8])
})

test('of several workers each job is given to one', async () => {
  for (let number = 0; number < 40; number += 1) await order(`${number}`)
  const runs = await Promise.all(Array.from({ length: 6 }, claimRun))
  const all = runs.flat()
  expect(new Set(all).size).toBe(all.length)
})

test('a worker does a run in one call, counts every job of it, and tries each alone when it fails', async () => {
  const calls: string[][] = []
  const tasks = {
    match_sbom: {
      run: (payload: { sbomId: string }) => {
        calls.push([payload.sbomId])
        return payload.sbomId === 'bad' ? Promise.reject(new Error('no luck')) : Promise.resolve()
      },
      runTogether: (payloads: { sbomId: string }[]) => {
        const ids = payloads.map(({ sbomId }) => sbomId)
        calls.push(ids)
        return ids.includes('bad') ? Promise.reject(new Error('no luck')) : Promise.resolve()
      },
    },
  } as unknown as Tasks
  const worker = { db: store.db, queue: store.db, now: () => testNow, log, name: 'drain', tasks }
  for (const sbomId of ['a', 'b']) await order(sbomId)
  expect([...(await drainQueue(worker, { except: [] }))]).toEqual([['match_sbom', 2]])
  expect(calls.splice(0)).toEqual([['a', 'b']])
  for (const sbomId of ['a', 'bad', 'b']) await order(sbomId)
  await drainQueue(worker, { except: [] })
  expect(calls.slice(0, 3)).toEqual([['a', 'bad', 'b'], ['a'], ['bad']])
  expect(calls.filter(([id]) => id === 'b')).toEqual([['b']])
  const left = await store.db.selectFrom('job').select(['key', 'state']).execute()
  expect(left).toEqual([{ key: 'bad', state: 'failed' }])
})

test('a job stays behind the refreshes of its workspace that were enqueued before it, and behind no later one', async () => {
  const enqueueRefresh = (familyId: string, workspaceId = one) =>
    enqueueJob(store.db, {
      kind: 'refresh_findings',
      key: familyId,
      workspaceId,
      payload: { workspaceId, familyId },
      runAt: testNow,
    })
  const claimKind = async () =>
    (await claimJob(store.db, { ...claim, except: ['match_sbom'], ignoreBackoff: true }))?.kind
  await enqueueRefresh('f')
  await enqueueRefresh('elsewhere', two)
  expect([await claimKind(), await claimKind()]).toEqual(['refresh_findings', 'refresh_findings'])
  await enqueueJob(store.db, {
    kind: 'tell_malware',
    key: one,
    workspaceId: one,
    payload: { workspaceId: one, 'family:f': 'f' },
    runAt: testNow,
  })
  expect(await claimKind()).toBeUndefined()
  await enqueueRefresh('later')
  expect(await claimKind()).toBe('refresh_findings')
  expect(await claimKind()).toBeUndefined()
  await store.db.deleteFrom('job').where('state', '=', 'running').where('key', '=', 'f').execute()
  expect(await claimKind()).toBe('tell_malware')
})
