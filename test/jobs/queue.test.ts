import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { claimJob } from '../../src/queue/claim.ts'
import { enqueue } from '../../src/queue/enqueue.ts'
import { completeJobs, failJob } from '../../src/queue/settle.ts'
import { testNow } from '../support/clock.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { anotherWorkspace, familyOf, oneWorkspace, QueueScene } from './queue-scene.ts'

let queue: QueueScene
beforeAll(async () => {
  queue = await QueueScene.open()
})
afterEach(() => queue.empty())
afterAll(() => queue.close())

describe('the queue', () => {
  it('enqueues a job exactly when the transaction commits', async () => {
    await expect(
      queue.db.transaction().execute(async (tx) => {
        await enqueue(tx, { kind: 'refresh_exploited', payload: {}, runAt: testNow })
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    expect(await queue.claim()).toBeUndefined()
  })

  it('lets at most one job of a kind and key wait, while another may run', async () => {
    await queue.refresh('f')
    await queue.refresh('f')
    const running = await queue.claim()
    expect(familyOf(running)).toBe('f')
    expect(await queue.claim()).toBeUndefined()
    await queue.refresh('f')
    expect(await queue.claim()).toBeUndefined()
    if (running !== undefined) await completeJobs(queue.db, [running], 'w')
    expect(familyOf(await queue.claim())).toBe('f')
  })

  it('holds a waiting job back while an order of it has not committed, so that its run sees the change', async () => {
    await queue.refresh('f')
    await queue.db.transaction().execute(async (tx) => {
      await enqueue(tx, {
        kind: 'refresh_findings',
        key: 'f',
        workspaceId: oneWorkspace,
        payload: { workspaceId: oneWorkspace, familyId: 'f' },
        runAt: testNow,
      })
      expect(await queue.claim()).toBeUndefined()
    })
    expect(familyOf(await queue.claim())).toBe('f')
  })

  it('takes turns between workspaces, however many jobs one has', async () => {
    for (let index = 0; index < 50; index += 1) await queue.refresh(`one-${index}`)
    await queue.refresh('two-0', anotherWorkspace)
    const claimed = [familyOf(await queue.claim()), familyOf(await queue.claim())]
    expect(claimed).toContain('two-0')
  })

  it('waits for the product clock', async () => {
    const later = new Date(testNow.getTime() + 1)
    await enqueueJob(queue.db, { kind: 'refresh_exploited', payload: {}, runAt: later })
    expect(await queue.claim('w', testNow)).toBeUndefined()
    expect(await queue.claim('w', later)).toBeDefined()
  })

  describe('with the clock set back', () => {
    const before = (seconds: number) => new Date(testNow.getTime() - seconds * 1000)

    it.each([59, 61, 86_400])(
      'by %i seconds, runs what was enqueued for now or within a minute',
      async (seconds) => {
        await queue.refresh('f')
        expect((await queue.claim('w', before(seconds))) !== undefined).toBe(seconds > 60)
        expect((await queue.claim('w', testNow)) !== undefined).toBe(seconds <= 60)
      },
    )

    it.each([
      [1, 'within its pause', 65, false],
      [1, 'far beyond its pause', 66, true],
      [4, 'within its pause', 100, false],
      [4, 'far beyond its pause', 101, true],
    ])(
      'a job that failed %i times and is due %s (%i s ahead) runs: %s',
      async (failures, _name, seconds, runs) => {
        await queue.refresh('f')
        for (let attempt = 1; attempt <= failures; attempt += 1) {
          const job = await claimJob(queue.db, { now: testNow, worker: 'w', except: [], ignoreBackoff: true })
          if (job === undefined) throw new Error('nothing was due')
          await failJob(queue.db, job, { worker: 'w', message: 'broken', now: testNow })
        }
        const { run_at: runAt } = await queue.db.selectFrom('job').select('run_at').executeTakeFirstOrThrow()
        expect((await queue.claim('w', new Date(runAt.getTime() - seconds * 1000))) !== undefined).toBe(runs)
      },
    )
  })

  it('gives a job to one of many workers', async () => {
    await queue.refresh('f')
    const claims = await Promise.all(Array.from({ length: 8 }, (_, index) => queue.claim(`w${index}`)))
    expect(claims.filter((job) => job !== undefined)).toHaveLength(1)
  })
})
