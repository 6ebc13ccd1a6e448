import { expect, it } from 'vitest'
import { PasswordSemaphore } from './password-semaphore.ts'

function held() {
  let finish: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (finish = resolve))
  return { ended, finish }
}

it('runs no more at once than it may, lets others wait, and refuses the rest', async () => {
  const passwords = new PasswordSemaphore({ max: 2, maxWaiting: 3 })
  let running = 0
  let max = 0
  const gates = Array.from({ length: 5 }, held)
  const works = gates.map(({ ended }) =>
    passwords.take(async () => {
      running += 1
      max = Math.max(max, running)
      await ended
      running -= 1
    }),
  )
  await expect(passwords.take(() => Promise.resolve())).rejects.toMatchObject({ code: 'rate_limited' })
  for (const { finish } of gates) finish()
  await Promise.all(works)
  expect(max).toBe(2)
  expect(await passwords.take(() => Promise.resolve('free again'))).toBe('free again')
})

it('gives its place on when the work fails', async () => {
  const passwords = new PasswordSemaphore({ max: 1, maxWaiting: 1 })
  const failing = passwords.take(() => Promise.reject(new Error('broken')))
  const next = passwords.take(() => Promise.resolve('next'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})
