import { expect, it } from 'vitest'
import { networkFailure } from './network-failure.ts'

const attempt = { timeoutMs: 1_000, who: 'the service', url: 'https://monitor.example', env: {} }

it.each([
  ['403', true],
  ['407', true],
  ['408', false],
  ['429', false],
  ['502', false],
])('a proxy that answers %s is asked no more: %s', (status, isFinal) => {
  const cause = new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`)
  const failure = networkFailure(new TypeError('fetch failed', { cause }), attempt)
  expect(failure).toMatchObject({ message: expect.stringContaining(`answered ${status}`) as string, isFinal })
})
