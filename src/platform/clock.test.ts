import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClock, hasPassed } from './clock.ts'

const now = new Date('2026-01-01T12:00:00.000Z')
const at = (secondsFromNow: number) => new Date(now.getTime() + secondsFromNow * 1000)

describe('whether an interval of 600 s has passed', () => {
  it.each([
    ['since never', null, true],
    ['since 601 s ago', at(-601), true],
    ['since 600 s ago', at(-600), true],
    ['since 599 s ago', at(-599), false],
    ['since now', now, false],
    ['since what another process wrote a little ahead', at(59), false],
    ['since before the clock was set back', at(61), true],
    ['since a year ahead', at(365 * 86_400), true],
  ])('%s', (_name, since, expected) => {
    expect(hasPassed(since, 600_000, now)).toBe(expected)
  })
})

describe('the clock with a file beside it', () => {
  let folder: string
  let file: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clock-'))
    file = join(folder, 'offset')
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('stops at a time in it, and is read at every use', async () => {
    const clock = createClock(file)
    await writeFile(file, '2020-02-02T02:02:02.020Z\n')
    expect(clock().toISOString()).toBe('2020-02-02T02:02:02.020Z')
    await writeFile(file, '2030-01-01T00:00:00.000Z')
    expect(clock().toISOString()).toBe('2030-01-01T00:00:00.000Z')
  })

  it.each([
    ['nothing', '', 0],
    ['milliseconds', '86400000', 86_400_000],
    ['milliseconds back', '-3600000', -3_600_000],
  ])('is ahead by %s', async (_name, text, offsetMs) => {
    const clock = createClock(file)
    await writeFile(file, text)
    const before = Date.now()
    const told = clock().getTime() - offsetMs
    expect(told).toBeGreaterThanOrEqual(before)
    expect(told).toBeLessThanOrEqual(Date.now())
  })

  it('refuses anything else', async () => {
    await writeFile(file, 'tomorrow')
    expect(createClock(file)).toThrow('neither a number of milliseconds nor a time')
  })
})
