import { expect, it } from 'vitest'
import { PasswordTurns } from './password-turns.ts'

function held() {
  let finish: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (finish = resolve))
  return { ended, finish }
}

it('runs no more at once than it may, lets others wait, and refuses the rest', async () => {
  const turns = new PasswordTurns({ max: 2, maxWaiting: 3 })
  let running = 0
  let most = 0
  const gates = Array.from({ length: 5 }, held)
  const works = gates.map(({ ended }) =>
    turns.take(async () => {
      running += 1
      most = Math.max(most, running)
      await ended
      running -= 1
    }),
  )
  await expect(turns.take(() => Promise.resolve())).rejects.toMatchObject({ code: 'rate_limited' })
  for (const { finish } of gates) finish()
  await Promise.all(works)
  expect(most).toBe(2)
  expect(await turns.take(() => Promise.resolve('free again'))).toBe('free again')
})

it('gives its place on when the work fails', async () => {
  const turns = new PasswordTurns({ max: 1, maxWaiting: 1 })
  const failing = turns.take(() => Promise.reject(new Error('broken')))
  const next = turns.take(() => Promise.resolve('next'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})
