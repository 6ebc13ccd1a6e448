import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OutboundError } from '../../src/platform/outbound/outbound-error.ts'
import { createOutbound, type Outbound } from '../../src/platform/outbound/outbound.ts'
import type { Purpose } from '../../src/platform/outbound/purposes.ts'
import { startDnsServer, type DnsServer } from './dns-server.ts'
import { portOf, addressOf } from '../support/port-of.ts'
import { fieldOf } from '../support/read-as.ts'

/** Counts every TCP connection to the loopback addresses a broken guard would reach. */
let connections = 0
let canaries: Server[]
let port: number
let dns: DnsServer
let outbound: Outbound

const names: Record<string, { a?: string[]; aaaa?: string[] }> = {
  'private.test': { a: ['127.0.0.1'] },
  'private6.test': { aaaa: ['::1'] },
  'mapped.test': { aaaa: ['::ffff:7f00:1'] },
  'compatible.test': { aaaa: ['::7f00:1'] },
  'nat64.test': { aaaa: ['64:ff9b::7f00:1'] },
  'sixtofour.test': { aaaa: ['2002:7f00:1::'] },
  'mixed.test': { a: ['8.8.8.8', '127.0.0.1'] },
  'mixed6.test': { a: ['8.8.8.8'], aaaa: ['::1'] },
  'metadata.test': { a: ['169.254.169.254'] },
  'wireserver.test': { a: ['168.63.129.16'] },
  'any.test': { a: ['0.0.0.0'] },
  localhost: { a: ['127.0.0.1'], aaaa: ['::1'] },
  'sub.localhost': { a: ['127.0.0.1'] },
  'localhost.localdomain': { a: ['127.0.0.1'] },
  'machine.local': { a: ['127.0.0.1'] },
}

let rebinding = 0
function answers(name: string) {
  // public on the first query, private ever after
  if (name === 'rebinding.test') return { a: [rebinding++ === 0 ? '8.8.8.8' : '127.0.0.1'] }
  return names[name]
}

async function canary(address: string, onPort: number): Promise<Server | null> {
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  server.listen(onPort, address)
  try {
    await once(server, 'listening')
    return server
  } catch {
    return null
  }
}

beforeAll(async () => {
  const first = await canary('127.0.0.1', 0)
  port = portOf(first)
  const others = await Promise.all([canary('::1', port), canary('127.0.0.2', port)])
  canaries = [first, ...others].filter((server) => server !== null)
  dns = await startDnsServer(answers)
  outbound = createOutbound({ dnsServer: dns.address, dialMap: null, allowedOrigins: {} })
})

afterAll(() => {
  for (const server of canaries) server.close()
  dns.close()
})

const hosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.0.0.2',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '１２７.0.0.1',
  '0',
  '0.0.0.0',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[::ffff:0:127.0.0.1]',
  '[fe80::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'sub.localhost',
  'localhost.localdomain',
  'machine.local',
  ...Object.keys(names).filter((name) => name.endsWith('.test')),
]

test('the canaries count who reaches them', async () => {
  const before = connections
  for (const server of canaries) {
    const { address } = addressOf(server)
    await once(connect({ host: address, port }), 'close')
  }
  expect(connections - before).toBe(canaries.length)
})

const purposesTried: Purpose[] = ['alert', 'single_sign_on', 'feed']

test.each(purposesTried.flatMap((purpose) => hosts.map((host) => ({ purpose, host }))))(
  '$purpose never reaches the machine itself by $host',
  async ({ purpose, host }) => {
    const before = connections
    const failure = await outbound
      .ask({ url: `https://${host}:${port}/`, purpose })
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(OutboundError)
    expect(fieldOf(failure, 'code')).toMatch(/^(address_refused|name_not_found)$/)
    expect(connections).toBe(before)
  },
)

test.each([
  'http://127.0.0.1',
  'http://8.8.8.8',
  'ftp://8.8.8.8',
  'file:///etc/passwd',
  'https://user:pass@8.8.8.8',
  'nonsense',
  '',
])('an address that is not plain https is refused: %s', async (url) => {
  for (const purpose of purposesTried) {
    await expect(outbound.ask({ url, purpose })).rejects.toMatchObject({ code: 'url_refused' })
  }
})

test('a name whose answer changes is resolved once per request and never reaches the machine itself', async () => {
  const lab = createOutbound({ dnsServer: dns.address, dialMap: new Map(), allowedOrigins: {} })
  for (let run = 0; run < 6; run++) {
    rebinding = 0
    const asked = dns.asked.length
    const before = connections
    const url = `https://rebinding.test:${port}/`
    await expect(lab.ask({ url, purpose: 'alert' })).rejects.toMatchObject({ code: 'connect_failed' })
    expect(dns.asked.slice(asked)).toEqual(['rebinding.test'])
    await expect(lab.ask({ url, purpose: 'alert' })).rejects.toMatchObject({ code: 'address_refused' })
    expect(connections).toBe(before)
  }
})

test('the messages of refusals name no address', async () => {
  const failure = await outbound
    .ask({ url: `https://private.test:${port}/`, purpose: 'alert' })
    .catch((error: unknown) => error)
  expect(fieldOf(failure, 'message')).toBe('host resolves to a private or reserved address')
})

test('in a lab an address outside the dial map is not dialled, even for an allowed host', async () => {
  const lab = createOutbound({
    dnsServer: dns.address,
    dialMap: new Map(),
    allowedOrigins: { sources: [`https://metadata.test:${port}`] },
  })
  const before = connections
  await expect(lab.ask({ url: `https://metadata.test:${port}/`, purpose: 'feed' })).rejects.toMatchObject({
    code: 'connect_failed',
  })
  expect(connections).toBe(before)
})

test('an allowed host is never allowed for alerts', async () => {
  const guarded = createOutbound({
    dnsServer: dns.address,
    dialMap: null,
    allowedOrigins: {
      sources: [`https://private.test:${port}`, `http://private.test:${port}`],
      issuers: [`https://private.test:${port}`, `http://private.test:${port}`],
    },
  })
  const before = connections
  await expect(guarded.ask({ url: `https://private.test:${port}/`, purpose: 'alert' })).rejects.toMatchObject(
    { code: 'address_refused' },
  )
  await expect(guarded.ask({ url: `http://private.test:${port}/`, purpose: 'alert' })).rejects.toMatchObject({
    code: 'url_refused',
  })
  expect(connections).toBe(before)
})
