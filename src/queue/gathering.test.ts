import { expect, test } from 'vitest'
import type { JobKind } from '../jobs.ts'
import type { ClaimedJob } from './claim.ts'
import { Gathering } from './gathering.ts'

const job = (familyId: string | undefined, kind: JobKind = 'match_sbom'): ClaimedJob => ({
  id: 1,
  kind,
  payload: { workspaceId: 'w', familyId },
  attempts: 1,
  maxAttempts: 5,
  isAlone: false,
})

function scene() {
  const time = { now: 1_000 }
  const pauses: number[] = []
  const gathering = new Gathering({
    now: () => time.now,
    pause: (ms) => {
      pauses.push(ms)
      return Promise.resolve()
    },
  })
  return { time, pauses, gathering }
}

test('the first job of a family runs at once, one that follows right behind it waits for others', async () => {
  const { time, pauses, gathering } = scene()
  await gathering.wait(job('f'))
  expect(pauses).toEqual([])
  gathering.note(job('f'))
  time.now += 499
  await gathering.wait(job('f'))
  expect(pauses).toEqual([500])
})

test('a job that comes later, or on another family, runs at once', async () => {
  const { time, pauses, gathering } = scene()
  gathering.note(job('f'))
  await gathering.wait(job('g'))
  time.now += 500
  await gathering.wait(job('f'))
  expect(pauses).toEqual([])
})

test('jobs that are not done together never wait', async () => {
  const { pauses, gathering } = scene()
  for (const alone of [job('f', 'refresh_findings'), job(undefined, 'refresh_exploited')]) {
    gathering.note(alone)
    await gathering.wait(alone)
  }
  expect(pauses).toEqual([])
})

test('the families of a long life do not fill the memory', async () => {
  const { pauses, gathering } = scene()
  for (let number = 0; number < 1_001; number += 1) gathering.note(job(`${number}`))
  await gathering.wait(job('0'))
  await gathering.wait(job('1000'))
  expect(pauses).toEqual([500])
})
