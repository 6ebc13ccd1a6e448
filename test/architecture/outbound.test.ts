import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Purpose } from '../../src/platform/outbound/purposes.ts'

const root = join(import.meta.dirname, '../..')

/** APIs that can open a connection to another host. */
const openers: [name: string, found: RegExp][] = [
  ['a client of undici', /from 'undici'|import\('undici'\)/],
  ['node:net', /import (?!type)[^;]*?\bconnect\b[^;]*?from '(node:)?net'|\bnew Socket\(|createConnection/],
  ['node:tls', /import (?!type)[^;]*?\bconnect\b[^;]*?from '(node:)?tls'/],
  [
    'node:http',
    /import (?!type)\{[^}]*\b(request|get|Agent)\b[^}]*\} from '(node:)?https?'|import \* as \w+ from '(node:)?https?'/,
  ],
  ['node:http2', /from '(node:)?http2'/],
  ['node:dgram', /from '(node:)?dgram'/],
  ['node:dns', /from '(node:)?dns(\/promises)?'/],
  ['fetch', /(?<![\w.])fetch\(/],
  ['a socket of the web', /new (WebSocket|EventSource|XMLHttpRequest)\(/],
]

/** Files that may, and the hosts they contact. */
const allowed: Record<string, string> = {
  'src/platform/outbound/': 'the guarded way out',
  'src/platform/postgres/': 'the database alone, whose address the operator sets',
  'src/originals/objects/': 'the object store alone, whose address the operator sets',
  'src/cli/demo': 'the service that the demonstration has started itself, on loopback',
  'src/notices/mail/': 'the mail server that the operator names, through the mail library',
}

it('nothing but the guarded way out opens connections to other hosts', () => {
  const found = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => {
      const path = `src/${name}`
      const text = readFileSync(join(root, path), 'utf8')
      if (Object.keys(allowed).some((start) => path.startsWith(start))) return []
      return openers.flatMap(([opener, pattern]) => (pattern.test(text) ? [`${path}: ${opener}`] : []))
    })
  expect(found).toEqual([])
})

it('each way out is found where it is', () => {
  const text = (name: string) => readFileSync(join(root, 'src/platform/outbound', name), 'utf8')
  const seen = ['outbound.ts', 'connect.ts', 'resolve.ts'].flatMap((name) =>
    openers.filter(([, pattern]) => pattern.test(text(name))).map(([opener]) => opener),
  )
  expect(seen).toEqual(['a client of undici', 'a client of undici', 'node:net', 'node:tls', 'node:dns'])
  const others: [string, string][] = [
    ["import { request } from 'node:https'", 'node:http'],
    ["import { createSocket } from 'node:dgram'", 'node:dgram'],
    ["import { connect } from 'node:http2'", 'node:http2'],
    ['await fetch(url)', 'fetch'],
    ['new WebSocket(url)', 'a socket of the web'],
  ]
  for (const [line, opener] of others)
    expect(openers.filter(([, pattern]) => pattern.test(line)).map(([name]) => name)).toContain(opener)
})

it('the deliveries of alerts ask through it, as alerts', () => {
  const text = readFileSync(join(root, 'src/alerts/deliveries/deliver.ts'), 'utf8')
  expect(text).toContain("purpose: 'alert'")
  expect(text).not.toContain('operatorsOwn')
})

/** How docs/security.md names the hosts of each purpose. */
const told: Record<Purpose, string> = {
  alert: '| alert destinations',
  billing: '| Stripe',
  feed: '| sources of vulnerability data',
  security_txt: "| a company's own security.txt",
  single_sign_on: '| the issuer of a company',
}

it('docs/security.md tells of every other host that is spoken to', () => {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8')
  expect(Object.values(told).filter((whom) => !text.includes(whom))).toEqual([])
})
