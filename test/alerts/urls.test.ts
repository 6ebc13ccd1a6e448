import fc from 'fast-check'
import { expect, test } from 'vitest'
import { judgeUrl } from '../../src/alerts/destinations/judge-url.ts'
import { destinationKinds } from '../../src/contract/alerts/shapes.ts'
import { literals } from '../reliability/scenarios/hostile-destinations.ts'
import { anyCharacter } from '../support/any-character.ts'
import { testChatHosts } from '../support/http.ts'

const judge = (url: string, kind: (typeof destinationKinds)[number] = 'webhook') =>
  judgeUrl(url, kind, testChatHosts)

const spelledV4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).chain((bytes) => {
  const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
  const [a, b, c, d] = bytes
  return fc.constantFrom(
    bytes.join('.'),
    String(number),
    `0x${number.toString(16)}`,
    `0${number.toString(8)}`,
    bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${bytes.join('.')}.`,
  )
})
const spelledV6 = fc.oneof(
  fc.ipV6().map((address) => `[${address}]`),
  fc.ipV4().map((address) => `[::ffff:${address}]`),
  fc.ipV4().map((address) => `[::${address}]`),
  fc.ipV4().map((address) => `[64:ff9b::${address}]`),
)

test('no spelling of an address is a host, public or not, for any kind', () => {
  fc.assert(
    fc.property(
      fc.oneof(spelledV4, spelledV6),
      fc.constantFrom(...destinationKinds),
      fc.constantFrom('', ':8443'),
      (host, kind, port) => {
        expect(judge(`https://${host}${port}/services/x`, kind)).toHaveProperty('problem')
      },
    ),
    { numRuns: 3_000 },
  )
  for (const literal of literals)
    for (const kind of destinationKinds)
      expect(judge(`https://${literal}/services/x`, kind), literal).toHaveProperty('problem')
})

test('a URL that is taken is read the same by the parser that connects', () => {
  const piece = fc.oneof(
    fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }),
    fc.string({ unit: anyCharacter }).map((text) => `https://${text}`),
  )
  fc.assert(
    fc.property(piece, (text) => {
      const judged = judge(text)
      if ('problem' in judged) return
      const url = new URL(judged.url)
      expect(url.protocol).toBe('https:')
      expect(url.hostname).toBe(judged.host)
      expect(url.username + url.password + url.hash).toBe('')
      expect(judged.host).toMatch(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/)
    }),
    { numRuns: 3_000 },
  )
})

const refusals: [url: string, kind: (typeof destinationKinds)[number], why: string][] = [
  ['http://a.example/', 'webhook', 'https://'],
  ['HTTPS://a.example/', 'webhook', 'https://'],
  ['//a.example/', 'webhook', 'https://'],
  ['https://user@a.example/', 'webhook', 'user name'],
  ['https://user:pass@a.example/', 'webhook', 'user name'],
  ['https://@a.example/', 'webhook', 'user name'],
  ['https://localhost/', 'webhook', 'full host name'],
  ['https://server/', 'webhook', 'full host name'],
  ['https://a.example./', 'webhook', 'full host name'],
  ['https://a..example/', 'webhook', 'full host name'],
  ['https://printer.local/', 'webhook', 'private network'],
  ['https://db.internal/', 'webhook', 'private network'],
  ['https://app.localhost/', 'webhook', 'private network'],
  ['https://nas.home.arpa/', 'webhook', 'private network'],
  ['https://a.example/#x', 'webhook', 'fragment'],
  ['https://a.example\\@b.example/', 'webhook', 'backslash'],
  ['https://a.exa mple/', 'webhook', 'space'],
  ['https://a.example:99999/', 'webhook', 'host name'],
  ['https://xn--a.example/', 'webhook', 'host name'],
  ['https://XN--A.example/', 'webhook', 'host name'],
  ['https://hooks.xn--99999999.example/', 'webhook', 'host name'],
  ['https://xn--.example/', 'webhook', 'full host name'],
  ['https://a.example:0/', 'webhook', 'port 0'],
  [`https://a.example/${'x'.repeat(2_000)}`, 'webhook', '2000'],
  ['https://hooks.slack.com/', 'chat_a', 'path'],
  ['https://hooks.slack.com/api/x', 'chat_a', 'path'],
  ['https://slack.com/services/x', 'chat_a', 'hooks.slack.com'],
  ['https://hooks.slack.com.evil.example/services/x', 'chat_a', 'hooks.slack.com'],
  ['https://a.example/workflows/x', 'chat_b', 'logic.azure.com'],
  ['https://notlogic.azure.com/x', 'chat_b', 'logic.azure.com'],
  ['https://x.logic.azure.com/', 'chat_b', 'whole URL'],
  ['https://outlook.office.com/webhook/x', 'chat_b', 'retired'],
  ['https://acme.webhook.office.com/webhookb2/x', 'chat_b', 'retired'],
]

test.each(refusals)('%s is refused for %s: %s', (url, kind, why) => {
  const judged = judge(url, kind)
  expect('problem' in judged ? judged.problem : 'taken').toContain(why)
})

const taken: [url: string, kind: (typeof destinationKinds)[number], host: string][] = [
  ['https://alerts.example.com', 'webhook', 'alerts.example.com'],
  ['https://alerts.example.com:8443/a?b=c', 'webhook', 'alerts.example.com'],
  ['https://ALERTS.Example.com/', 'webhook', 'alerts.example.com'],
  ['https://bücher.example/', 'webhook', 'xn--bcher-kva.example'],
  ['https://hooks.xn--bcher-kva.example/', 'webhook', 'hooks.xn--bcher-kva.example'],
  ['https://xn--fiqs8s.example/', 'webhook', 'xn--fiqs8s.example'],
  ['https://hooks.slack.com/services/T0/B0/x', 'chat_a', 'hooks.slack.com'],
  ['https://hooks.slack.com/triggers/T0/1/x', 'chat_a', 'hooks.slack.com'],
  ['https://hooks.slack.com/workflows/T0/A/x', 'chat_a', 'hooks.slack.com'],
  [
    'https://prod-1.westeurope.logic.azure.com:443/workflows/x?sig=y',
    'chat_b',
    'prod-1.westeurope.logic.azure.com',
  ],
  ['https://logic.azure.com/workflows/x', 'chat_b', 'logic.azure.com'],
  [
    'https://default1.environment.api.powerplatform.com/x',
    'chat_b',
    'default1.environment.api.powerplatform.com',
  ],
  [`https://a.example/${'x'.repeat(1_982)}`, 'webhook', 'a.example'],
]

test.each(taken)('%s is taken for %s', (url, kind, host) => {
  expect(judge(url, kind)).toEqual({ url, host })
})
