import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { claimJob, startRound } from '../../src/queue/claim.ts'
import { enqueueAll, type NewJob } from '../../src/queue/enqueue.ts'
import { completeJobs, recoverJobs } from '../../src/queue/settle.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { payloadOf } from '../support/payloads.ts'

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())
afterEach(async () => {
  await store.db.deleteFrom('job').execute()
})

const worker = 'w'
const seconds = (count: number) => new Date(testNow.getTime() + count * 1000)
const workspaces = (count: number): string[] => Array.from({ length: count }, () => randomUUID())

/** Jobs of a workspace, the first due `due` seconds from now, each a thousandth later than the one before. */
const jobsOf = (workspaceId: string, count: number, due: number): NewJob<'refresh_findings'>[] =>
  Array.from({ length: count }, (_, index) => {
    const familyId = randomUUID()
    const runAt = seconds(due + index / 1000)
    return { kind: 'refresh_findings', key: familyId, workspaceId, payload: { workspaceId, familyId }, runAt }
  })

const enqueue = (jobs: NewJob<'refresh_findings' | 'match_sbom'>[]) =>
  store.db.transaction().execute((tx) => enqueueAll(tx, jobs))

const claimWith = (round = startRound(), now = testNow) =>
  claimJob(store.db, { now, worker, except: [], ignoreBackoff: false, round })

const workspaceOf = (job: { payload: unknown } | undefined) =>
  job && payloadOf('refresh_findings', job).workspaceId

/** As if each had failed once. */
const waitForRetry = (pauseSeconds: number) =>
  store.db
    .updateTable('job')
    .set({ attempts: 1, run_at: seconds(pauseSeconds) })
    .execute()

describe('turns of more workspaces than a claim looks at', () => {
  it('gives each its first job before the long backlog of another goes on, wherever a round begins', async () => {
    const many = workspaces(320)
    const backlog = randomUUID()
    await enqueue([
      ...jobsOf(backlog, 300, -1000),
      ...many.flatMap((id, index) => jobsOf(id, 1, -500 + index / 10)),
    ])
    const round = startRound()
    const claimed: (string | undefined)[] = []
    for (let claim = 0; claim <= many.length; claim += 1) claimed.push(workspaceOf(await claimWith(round)))
    expect(claimed[0]).toBe(backlog)
    expect(new Set(claimed.slice(1))).toEqual(new Set(many))
    expect(workspaceOf(await claimWith(round))).toBe(backlog)
  })

  it('starves none of those that wait behind the jobs of workspaces at work', async () => {
    const many = workspaces(320)
    const backlog = randomUUID()
    await enqueue([...jobsOf(backlog, 250, -1000), ...many.flatMap((id) => jobsOf(id, 3, -500))])
    const round = startRound()
    const seen = new Set<string | undefined>()
    let claims = 0
    // nothing finishes, so every workspace already served blocks the others with two more
    for (; seen.size <= many.length; claims += 1) seen.add(workspaceOf(await claimWith(round)))
    expect(claims).toBeLessThanOrEqual(2 * many.length)
  })

  it('is the same job that is due longest where none of them has one under way', async () => {
    const many = workspaces(320)
    await enqueue(many.flatMap((id, index) => jobsOf(id, 1, -1 - ((index * 7) % 320))))
    const order: number[] = []
    for (let claim = 0; claim < 12; claim += 1) {
      const job = await claimWith()
      order.push(many.indexOf(workspaceOf(job) ?? ''))
      if (job !== undefined) await completeJobs(store.db, [job], worker)
    }
    expect(order.map((index) => (index * 7) % 320)).toEqual(Array.from({ length: 12 }, (_, n) => 319 - n))
  })
})

describe('a queue of jobs that cannot run', () => {
  it('has none due, and finds the one that is', async () => {
    await enqueue(workspaces(300).flatMap((id) => jobsOf(id, 2, 0)))
    await waitForRetry(30)
    expect(await claimWith()).toBeUndefined()
    const due = randomUUID()
    await enqueue(jobsOf(due, 1, 0))
    expect(workspaceOf(await claimWith())).toBe(due)
    expect(await claimWith()).toBeUndefined()
  })

  it('finds what was enqueued before the clock was set back', async () => {
    await enqueue(workspaces(300).flatMap((id) => jobsOf(id, 1, 0)))
    await waitForRetry(30)
    const ahead = randomUUID()
    await enqueue(jobsOf(ahead, 1, 61))
    expect(workspaceOf(await claimWith())).toBe(ahead)
    expect(await claimWith()).toBeUndefined()
  })

  it.each([0, 319])(
    'passes over a family at work, and goes round until it finds workspace %i',
    async (place) => {
      const many = workspaces(320).toSorted()
      const [busy = ''] = workspaces(1)
      const familyId = randomUUID()
      const uploads = Array.from({ length: 250 }, (): NewJob<'match_sbom'> => {
        const sbomId = randomUUID()
        const payload = { workspaceId: busy, familyId, sbomId }
        return { kind: 'match_sbom', key: sbomId, workspaceId: busy, payload, runAt: seconds(-100) }
      })
      await enqueue(uploads)
      const round = startRound()
      expect(workspaceOf(await claimWith(round))).toBe(busy)
      expect(await claimWith(round)).toBeUndefined()
      await enqueue(many.flatMap((id) => jobsOf(id, 1, 30)))
      const wanted = many[place] ?? ''
      await sql`update job set run_at = ${seconds(-1)} where workspace_id = ${wanted}`.execute(store.db)
      for (const after of [many[10], many[310], 'ffffffff-ffff-4fff-8fff-ffffffffffff']) {
        const found = await claimWith({ after: after ?? '', isLong: false })
        expect(workspaceOf(found)).toBe(wanted)
        await sql`update job set state = 'waiting' where id = ${found?.id}`.execute(store.db)
      }
    },
  )
})

it('takes the jobs of a killed worker up again in the round of another', async () => {
  const many = workspaces(250)
  await enqueue(many.flatMap((id) => jobsOf(id, 1, 0)))
  const killed = startRound()
  const first = [workspaceOf(await claimWith(killed)), workspaceOf(await claimWith(killed))]
  await sql`update job set leased_until = '-infinity' where state = 'running'`.execute(store.db)
  await recoverJobs(store.db)
  const round = startRound()
  const all = new Set<string | undefined>()
  for (let claim = 0; claim < many.length; claim += 1) all.add(workspaceOf(await claimWith(round)))
  expect(all).toEqual(new Set(many))
  expect(first.every((id) => all.has(id))).toBe(true)
  expect(await claimWith(round)).toBeUndefined()
})

describe('an urgent job', () => {
  const opening = (workspaceId: string, due: number): NewJob<'open_incidents'> => {
    const familyId = randomUUID()
    const payload = { workspaceId, familyId }
    return { kind: 'open_incidents', key: familyId, workspaceId, payload, runAt: seconds(due) }
  }
  const openings = (jobs: NewJob<'open_incidents'>[]) =>
    store.db.transaction().execute((tx) => enqueueAll(tx, jobs))

  it('is taken before everything that was due before it, of the workspace with the fewest running first', async () => {
    const [busy = '', idle = ''] = workspaces(2)
    await enqueue([...workspaces(220).flatMap((id) => jobsOf(id, 2, -500)), ...jobsOf(busy, 1, -1000)])
    const round = startRound()
    expect(workspaceOf(await claimWith(round))).toBe(busy)
    await openings([opening(busy, -2), opening(idle, -1)])
    const taken = [await claimWith(round), await claimWith(round), await claimWith(round)]
    expect(taken.map((job) => job?.kind)).toEqual(['open_incidents', 'open_incidents', 'refresh_findings'])
    expect(taken.slice(0, 2).map(workspaceOf)).toEqual([idle, busy])
  })

  it('waits for its time, and for the run under way on its workspace', async () => {
    const [one = '', two = ''] = workspaces(2)
    await openings([opening(one, 30), opening(two, -3), opening(two, -2)])
    expect(workspaceOf(await claimWith())).toBe(two)
    expect(await claimWith()).toBeUndefined()
    expect(workspaceOf(await claimWith(startRound(), seconds(30)))).toBe(one)
  })
})
