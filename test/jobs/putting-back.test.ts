import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ClaimedJob } from '../../src/queue/claim.ts'
import { renewLeases } from '../../src/queue/keep-leases.ts'
import { retryFailedJobs } from '../../src/queue/failed.ts'
import { completeJobs, failJob, recoverJobs, returnJob } from '../../src/queue/settle.ts'
import { testNow } from '../support/clock.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { familyOf, oneWorkspace, QueueScene } from './queue-scene.ts'

let queue: QueueScene
beforeAll(async () => {
  queue = await QueueScene.open()
})
afterEach(() => queue.empty())
afterAll(() => queue.close())

const tell = (familyId: string) =>
  enqueueJob(queue.db, {
    kind: 'tell_malware',
    key: oneWorkspace,
    workspaceId: oneWorkspace,
    payload: { workspaceId: oneWorkspace, [`family:${familyId}`]: familyId },
    runAt: testNow,
  })

let claimed: ClaimedJob | undefined

async function failClaimed(maxAttempts: number): Promise<void> {
  if (claimed === undefined) throw new Error('no job was claimed')
  const failure = { worker: 'killed', message: 'no', now: testNow }
  await failJob(queue.db, { ...claimed, maxAttempts }, failure)
}

async function recoverAll(): Promise<void> {
  const ended = { leased_until: new Date(0) }
  await queue.db.updateTable('job').set(ended).where('state', '=', 'running').execute()
  await recoverJobs(queue.db)
}

describe('the queue', () => {
  it('puts a failed job back with growing delay and keeps it as failed in the end', async () => {
    await queue.refresh('f')
    let now = testNow
    const delays: number[] = []
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const job = await queue.claim('w', now)
      if (job === undefined) throw new Error(`attempt ${attempt} was not due`)
      expect(job.attempts).toBe(attempt)
      const isLast = await failJob(queue.db, job, { worker: 'w', message: 'broken', now })
      expect(isLast).toBe(attempt === 5)
      const { run_at: runAt } = await queue.db.selectFrom('job').select('run_at').executeTakeFirstOrThrow()
      if (!isLast) delays.push(runAt.getTime() - now.getTime())
      now = runAt
    }
    expect(delays).toEqual([5_000, 10_000, 20_000, 40_000])
    expect(await queue.db.selectFrom('job').select(['state', 'last_error']).execute()).toEqual([
      { state: 'failed', last_error: 'broken' },
    ])
  })

  it('takes jobs of a killed worker back when their lease has ended, and not before', async () => {
    await queue.refresh('f')
    await queue.claim('killed')
    await recoverJobs(queue.db)
    expect(await queue.claim()).toBeUndefined()
    await queue.db
      .updateTable('job')
      .set({ leased_until: new Date(0) })
      .execute()
    await recoverJobs(queue.db)
    expect(familyOf(await queue.claim())).toBe('f')
  })

  it('keeps the lease of a job under way, and not of one whose claim the worker never heard of', async () => {
    await queue.refresh('known')
    await queue.refresh('unheard')
    const known = await queue.claim('w')
    await queue.claim('w')
    await queue.db
      .updateTable('job')
      .set({ leased_until: new Date(0) })
      .execute()
    await renewLeases(queue.db, 'w', [known?.id ?? 0])
    await recoverJobs(queue.db)
    const again = await queue.claim('other')
    expect([familyOf(known), familyOf(again)].sort()).toEqual(['known', 'unheard'])
    expect(await queue.claim('other')).toBeUndefined()
  })

  it('runs a job again at once whose session with the store was lost, and not for ever', async () => {
    await queue.refresh('f')
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      const job = await queue.claim()
      if (job === undefined) throw new Error(`attempt ${attempt} was not due`)
      await returnJob(queue.db, job, { worker: 'w', message: 'Connection terminated' })
    }
    expect(await queue.db.selectFrom('job').select(['state', 'attempts', 'last_error']).execute()).toEqual([
      { state: 'failed', attempts: 7, last_error: 'Connection terminated' },
    ])
  })

  it('drops a job put back where an equal one waits', async () => {
    await queue.refresh('f')
    await queue.claim('killed')
    await queue.refresh('f')
    await recoverAll()
    expect(await queue.db.selectFrom('job').select('state').execute()).toEqual([{ state: 'waiting' }])
  })

  it.each<[string, () => Promise<unknown>]>([
    ['its process ended', () => recoverAll()],
    ['it failed', () => failClaimed(10)],
    [
      'it had failed for good',
      async () => {
        await failClaimed(1)
        await queue.db.transaction().execute((tx) => retryFailedJobs(tx, 'all', testNow))
      },
    ],
  ])('leaves what a job put back was to do to the equal one that waits (%s)', async (_why, putBack) => {
    await tell('pump')
    claimed = await queue.claim('killed')
    await tell('valve')
    await putBack()
    const jobs = await queue.db.selectFrom('job').select(['state', 'payload']).execute()
    expect(jobs).toEqual([
      {
        state: 'waiting',
        payload: { workspaceId: oneWorkspace, 'family:pump': 'pump', 'family:valve': 'valve' },
      },
    ])
  })

  it('does not complete a job that another worker has taken over', async () => {
    await queue.refresh('f')
    const job = await queue.claim('slow')
    await queue.db
      .updateTable('job')
      .set({ leased_until: new Date(0) })
      .execute()
    await recoverJobs(queue.db)
    await queue.claim('other')
    if (job !== undefined) await completeJobs(queue.db, [job], 'slow')
    expect(await queue.db.selectFrom('job').select('leased_by').execute()).toEqual([{ leased_by: 'other' }])
  })
})
