import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'
import { destinationKinds, type DestinationKind } from '../../../src/contract/alerts/shapes.ts'
import type { Db } from '../../../src/database/connection.ts'
import { facts, type AlertScene } from '../../alerts/alert-scene.ts'
import type { ReceiverLab } from '../../support/receivers.ts'
import type { DnsAnswers } from '../../outbound/dns-server.ts'
import { withAlertLab } from './alert-lab.ts'
import type { Outcome } from './outcome.ts'
import { portOf, addressOf } from '../../support/port-of.ts'

const refused = 'host resolves to a private or reserved address'
const unknown = 'the host name cannot be resolved'
const silent = 'no answer within 5 seconds'
const noUrl = 'the address is not an https URL'
const notDialled = 'no connection could be made to the host'

/** Every spelling of a non-public address. */
export const literals = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.2',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
  ],
  ...['0177.0.0.1', '017700000001', '127.0.0.1.', '%31%32%37.0.0.1', '１２７.0.0.1', '0', '0.0.0.0', '0x0'],
  ...[
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '2852039166',
  ],
  ...['168.63.129.16', '192.0.0.8', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.7', '203.0.113.9'],
  ...[
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
  ],
  ...['[::ffff:7f00:1]', '[::ffff:8.8.8.8]', '[::7f00:1]', '[::127.0.0.1]', '[::ffff:0:127.0.0.1]'],
  ...[
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[2001:db8::1]',
    '[3fff::1]',
  ],
  ...[
    '[100::1]',
    '[5f00::1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[4000::1]',
  ],
] as const

const one = '8.8.8.8'
const six = '2606:4700:4700::1111'
const manyPublic = Array.from({ length: 60 }, (_, index) => `8.8.${index}.1`)

const endless = Array.from({ length: 3_000 }, (_, index) => `8.${index % 200}.${index >> 8}.1`)

/** Possible answers of a resolver, and what is then recorded. */
const answers: Record<string, DnsAnswers & { says: string }> = {
  private: { a: ['127.0.0.1'], says: refused },
  private6: { aaaa: ['::1'], says: refused },
  ten: { a: ['10.0.0.1'], says: refused },
  local: { a: ['192.168.0.1'], says: refused },
  carrier: { a: ['100.64.0.1'], says: refused },
  metadata: { a: ['169.254.169.254'], says: refused },
  wire: { a: ['168.63.129.16'], says: refused },
  any: { a: ['0.0.0.0'], says: refused },
  any6: { aaaa: ['::'], says: refused },
  mapped: { aaaa: ['::ffff:7f00:1'], says: refused },
  'mapped-public': { aaaa: ['::ffff:808:808'], says: refused },
  compatible: { aaaa: ['::7f00:1'], says: refused },
  translated: { aaaa: ['::ffff:0:7f00:1'], says: refused },
  nat64: { aaaa: ['64:ff9b::7f00:1'], says: refused },
  'nat64-local': { aaaa: ['64:ff9b:1::7f00:1'], says: refused },
  sixtofour: { aaaa: ['2002:7f00:1::'], says: refused },
  teredo: { aaaa: ['2001::1'], says: refused },
  unique: { aaaa: ['fd12:3456::1'], says: refused },
  link: { aaaa: ['fe80::1'], says: refused },
  site: { aaaa: ['fec0::1'], says: refused },
  multicast: { a: ['224.0.0.1'], says: refused },
  broadcast: { a: ['255.255.255.255'], says: refused },
  documentation: { a: ['192.0.2.1'], says: refused },
  'mixed-last': { a: [one, '127.0.0.1'], says: refused },
  'mixed-first': { a: ['127.0.0.1', one], says: refused },
  'mixed-families': { a: [one], aaaa: ['::1'], says: refused },
  'mixed-families6': { a: ['10.0.0.1'], aaaa: [six], says: refused },
  'mixed-sixes': { aaaa: [six, 'fe80::1'], says: refused },
  'one-in-many': { a: [...manyPublic, '127.0.0.1'], says: refused },
  alias: { cname: 'inside.test', a: ['127.0.0.1'], says: refused },
  'alias-of-both': { cname: 'inside.test', a: [one], aaaa: ['::1'], says: refused },
  'alias-of-itself': { cname: 'alias-of-itself.test', says: unknown },
  'alias-of-nothing': { cname: 'nowhere.test', says: unknown },
  empty: { a: [], aaaa: [], says: unknown },
  silent: { isSilent: true, says: silent },
  endless: { a: endless, says: notDialled },
  'endless-and-private': { a: [...endless, '127.0.0.1'], says: refused },
  'all-public': { a: manyPublic, aaaa: [six], says: notDialled },
  'public-elsewhere': { a: [one], says: notDialled },
}

const redirectTargets = [
  '127.0.0.1',
  '[::1]',
  'private.test',
  '169.254.169.254',
  '[::ffff:7f00:1]',
  'localhost',
]
const noUrls = [
  'http://127.0.0.1',
  'ftp://8.8.8.8',
  'file:///etc/passwd',
  'https://user:pass@127.0.0.1',
  'nonsense',
  '//127.0.0.1',
]

type HostileCase = { kind: DestinationKind; url: string; says: string; host?: string }

/** Counts every TCP connection to addresses that a broken guard would reach: nothing else listens there. */
class Canary {
  connections = 0
  readonly #servers: Server[] = []

  async open(): Promise<number> {
    const port = await this.#listen('127.0.0.1', 0)
    await this.#listen('127.0.0.2', port).catch(() => undefined)
    // a machine may have no IPv6
    await this.#listen('::1', port).catch(() => undefined)
    return port
  }

  /** Shows that it counts before it is relied on. */
  async reach(): Promise<number> {
    const before = this.connections
    for (const server of this.#servers) {
      const { address, port } = addressOf(server)
      await once(connect({ host: address, port }), 'close')
    }
    const counted = this.connections - before
    this.connections = before
    return this.#servers.length - counted
  }

  close(): void {
    for (const server of this.#servers) server.close()
  }

  async #listen(address: string, port: number): Promise<number> {
    const server = createServer((socket) => {
      this.connections += 1
      socket.on('error', () => undefined).destroy()
    })
    server.listen(port, address)
    await once(server, 'listening')
    this.#servers.push(server)
    return portOf(server)
  }
}

/**
 * Delivers to hostile destinations, stored without URL checks, so that only delivery is tested. The lab maps every private address to the
 * canary, which would see any connection the guard lets through.
 */
export async function runHostileDestinations({
  db,
  rebindings,
}: {
  db: Db
  rebindings: number
}): Promise<Outcome> {
  const canary = new Canary()
  return withAlertLab(db, async (scene, lab) => {
    const port = await canary.open()
    const failures = (await canary.reach()) === 0 ? [] : ['the canary does not count']
    const cases = await prepare(lab, port)
    failures.push(...(await deliverAndCompare(scene, lab, cases)))
    failures.push(...(await rebind(scene, lab, { port, runs: rebindings })))
    const figures = { destinations: cases.length, rebindings, canaryConnections: canary.connections }
    return { figures, failures }
  }).finally(() => canary.close())
}

async function prepare(lab: ReceiverLab, port: number): Promise<HostileCase[]> {
  const cases: HostileCase[] = []
  for (const kind of destinationKinds) {
    const path = kind === 'chat_a' ? '/services/T0/B0/x' : '/workflows/x'
    for (const literal of literals)
      cases.push({ kind, url: `https://${literal}:${port}${path}`, says: refused })
    for (const [name, { says }] of Object.entries(answers))
      cases.push({ kind, url: `https://${name}.test:${port}${path}`, says })
    for (const url of noUrls) cases.push({ kind, url, says: noUrl })
  }
  for (const [name, { says: _says, ...found }] of Object.entries(answers)) lab.resolve(`${name}.test`, found)
  for (const [index, target] of redirectTargets.entries()) {
    const status = [301, 302, 303, 307, 308, 302][index] ?? 302
    const receiver = await lab.receive(`moved-${index}.test`, (_request, response) =>
      response.writeHead(status, { location: `https://${target}:${port}/` }).end(),
    )
    cases.push({ kind: 'webhook', url: receiver.url, says: `HTTP ${status} (redirects are not followed)` })
  }
  leadPrivateToCanary(lab, port)
  return cases
}

function leadPrivateToCanary(lab: ReceiverLab, port: number): void {
  const isPublic = (address: string) => address === one || address === six || manyPublic.includes(address)
  const found = Object.values(answers).flatMap(({ a = [], aaaa = [] }) => [...a, ...aaaa])
  const ofLiterals = literals.map((literal) =>
    new URL(`https://${literal}/`).hostname.replace(/^\[|\]$/g, ''),
  )
  for (const address of new Set([...found.slice(0, 500), ...ofLiterals])) {
    if (isPublic(address) || address.startsWith('8.')) continue
    const isSix = address.includes(':')
    lab.dial(
      isSix ? `[${address}]:${port}` : `${address}:${port}`,
      `${isSix ? '[::1]' : '127.0.0.1'}:${port}`,
    )
  }
}

async function deliverAndCompare(
  scene: AlertScene,
  lab: ReceiverLab,
  cases: readonly HostileCase[],
): Promise<string[]> {
  const byId = new Map<string, HostileCase>()
  for (const hostile of cases) {
    const workspace = byId.size % 2 === 0 ? scene.acme : scene.umbrella
    byId.set(await scene.store(workspace.id, { ...hostile, events: ['incident.opened'] }), hostile)
  }
  for (const { id } of [scene.acme, scene.umbrella]) await scene.tell(id, facts['incident.opened'])
  await scene.send(lab.outbound())
  const failures: string[] = []
  for (const { destination_id: id, state, reason } of await scene.deliveries()) {
    const hostile = byId.get(id)
    byId.delete(id)
    if (hostile === undefined) continue
    if (state !== 'failed' || reason !== hostile.says)
      failures.push(`${hostile.url}: ${state}, ${reason ?? 'no reason'}; expected: ${hostile.says}`)
    const host = URL.parse(hostile.url)?.hostname ?? ''
    if (host !== '' && reason?.includes(host) === true)
      failures.push(`${hostile.url}: the reason names the host`)
  }
  return [...failures, ...[...byId.values()].map(({ url }) => `${url}: no delivery`)]
}

/** A name that is public on the first query and private ever after: a delivery resolves it once. */
async function rebind(
  scene: AlertScene,
  lab: ReceiverLab,
  { port, runs }: { port: number; runs: number },
): Promise<string[]> {
  const before = new Set((await scene.deliveries()).map(({ id }) => id))
  const asked = new Map<string, number>()
  for (let run = 0; run < runs; run += 1) {
    const host = `rebinding-${run}.test`
    lab.resolve(host, () => {
      asked.set(host, (asked.get(host) ?? 0) + 1)
      // a delivery queries A and AAAA
      return { a: [(asked.get(host) ?? 0) <= 2 ? one : '127.0.0.1'] }
    })
    await scene.store(scene.acme.id, { url: `https://${host}:${port}/`, events: ['report.received'] })
  }
  const failures: string[] = []
  for (const says of [notDialled, refused]) {
    await scene.tell(scene.acme.id, facts['report.received'])
    await scene.send(lab.outbound())
    const made = (await scene.deliveries()).filter(({ id }) => !before.has(id))
    for (const { id, reason } of made) {
      before.add(id)
      if (reason !== says) failures.push(`rebinding: ${reason ?? 'no reason'}; expected: ${says}`)
    }
    if (made.length !== runs) failures.push(`rebinding: ${made.length} deliveries`)
  }
  for (const [host, questions] of asked)
    if (questions !== 4) failures.push(`${host} was asked about ${questions} times`)
  return failures
}
