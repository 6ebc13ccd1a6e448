import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { pipelined } from './pipelined.ts'

const later = async <T>(turns: number, end: () => T): Promise<T> => {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn()
  return end()
}
const fail = (message: string) => (): never => {
  throw new Error(message)
}

it('the answers come in the order of the statements', async () => {
  expect(await pipelined([later(2, () => 'one'), later(1, () => 2)])).toEqual(['one', 2])
})

it('what failed first is said when all have ended', async () => {
  let isOver = false
  const slow = later(3, () => (isOver = true))
  await expect(pipelined([later(2, fail('aborted')), later(1, fail('deadlock')), slow])).rejects.toThrow(
    'deadlock',
  )
  expect(isOver).toBe(true)
})
