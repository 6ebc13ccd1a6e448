import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SleepingLanes } from './sleeping-lanes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Lanes that are asleep, and how many of them have been woken. */
function scene(count: number) {
  const lanes = new SleepingLanes()
  const woken = { count: 0 }
  for (let lane = 0; lane < count; lane += 1) void lanes.sleep().then(() => (woken.count += 1))
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return woken.count
  }
  return { lanes, after }
}

test('the first call wakes a lane at once, the calls of the next moment wake one together', async () => {
  const { lanes, after } = scene(4)
  lanes.call()
  expect(await after(0)).toBe(1)
  lanes.call()
  lanes.call()
  expect(await after(49)).toBe(1)
  expect(await after(1)).toBe(2)
  expect(await after(100)).toBe(2)
  lanes.call()
  expect(await after(0)).toBe(3)
  lanes.wakeAll()
})

test('a call that finds every lane busy is not forgotten', async () => {
  const { lanes } = scene(0)
  lanes.call()
  await lanes.sleep()
  lanes.wakeAll()
})

test('one lane looks again every second, nobody having called', async () => {
  const { lanes, after } = scene(3)
  expect(await after(999)).toBe(0)
  expect(await after(1)).toBe(1)
  expect(await after(1_000)).toBe(2)
  lanes.wakeAll()
})

test('at the end every lane wakes, and none falls asleep again', async () => {
  const { lanes, after } = scene(2)
  lanes.wakeAll()
  expect(await after(0)).toBe(2)
  await lanes.sleep()
})
