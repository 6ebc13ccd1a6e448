import { expect, it } from 'vitest'
import { PasswordSemaphore } from './password-semaphore.ts'

const here = '192.0.2.1'

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
    passwords.take(here, async () => {
      running += 1
      max = Math.max(max, running)
      await ended
      running -= 1
    }),
  )
  await expect(passwords.take(here, () => Promise.resolve())).rejects.toMatchObject({ code: 'rate_limited' })
  for (const { finish } of gates) finish()
  await Promise.all(works)
  expect(max).toBe(2)
  expect(await passwords.take(here, () => Promise.resolve('free again'))).toBe('free again')
})

it('gives its place on when the work fails', async () => {
  const passwords = new PasswordSemaphore({ max: 1, maxWaiting: 1 })
  const failing = passwords.take(here, () => Promise.reject(new Error('broken')))
  const next = passwords.take(here, () => Promise.resolve('next'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('next')
})

it('takes turns between addresses, and refuses the one that has most waiting, by the site of an IPv6 one', async () => {
  const passwords = new PasswordSemaphore({ max: 1, maxWaiting: 4 })
  const ended: string[] = []
  const running = held()
  const first = passwords.take('2001:db8:1::1', () => running.ended)
  const add = (address: string, name: string) =>
    passwords.take(address, () => Promise.resolve(ended.push(name))).catch(() => `${name} refused`)
  const flood = ['1', '2', '3', '4', '5'].map((network) => add(`2001:db8:1:${network}::1`, network))
  expect(() => passwords.refuseWhenFull('2001:db8:1:9::1')).toThrow('Too many people are signing in')
  passwords.refuseWhenFull(here)
  const others = [add(here, 'person'), add('192.0.2.2', 'other')]
  running.finish()
  await first
  expect(await Promise.all(flood)).toEqual([1, 4, '3 refused', '4 refused', '5 refused'])
  await Promise.all(others)
  expect(ended).toEqual(['1', 'person', 'other', '2'])
})
