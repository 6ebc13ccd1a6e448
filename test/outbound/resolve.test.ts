import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResolver } from '../../src/platform/outbound/resolve.ts'
import { startDnsServer, type DnsAnswers, type DnsServer } from './dns-server.ts'

const names: Record<string, DnsAnswers> = {
  'four.test': { a: ['8.8.8.8'], isSilent: 'aaaa' },
  'six.test': { aaaa: ['2600::1'], isSilent: 'a' },
  'both.test': { a: ['8.8.8.8'], aaaa: ['2600::1'] },
}

let dns: DnsServer
beforeAll(async () => {
  dns = await startDnsServer((name) => names[name])
})
afterAll(() => dns.close())

/** Fails when it takes as long as a whole delivery may. */
async function resolve(name: string): Promise<string[]> {
  const deadline = AbortSignal.timeout(4_000)
  const addresses = await createResolver(dns.address)(name, deadline)
  expect(deadline.aborted).toBe(false)
  return addresses
}

test('all addresses of a name are found', async () => {
  expect(await resolve('both.test')).toEqual(['8.8.8.8', '2600::1'])
})

test.each([
  ['four.test', '8.8.8.8'],
  ['six.test', '2600::1'],
])('%s has addresses, although questions for one kind are never answered', async (name, address) => {
  expect(await resolve(name)).toEqual([address])
})
