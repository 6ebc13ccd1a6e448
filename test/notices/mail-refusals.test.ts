import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { createMailTransport, type Patience, type Sending } from '../../src/notices/mail/transport.ts'
import { portOf } from '../support/port-of.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

type MailServer = {
  /** By command, `END` for the end of the text; `null` ends the connection. Others are answered `250 ok`. */
  replies: Record<string, string | null>
  /** The extensions it knows. */
  offers?: string[]
  /** What it takes its time over. */
  slow?: { command: string; ms: number }
}

async function listen({ replies, offers = [], slow }: MailServer): Promise<number> {
  const answer = async (socket: Socket, command: string) => {
    if (command === slow?.command) await sleep(slow.ms)
    const known = command === 'EHLO' ? `${offers.map((one) => `250-${one}\r\n`).join('')}250 ok` : '250 ok'
    const reply = command in replies ? replies[command] : known
    if (reply === null) socket.destroy()
    else socket.write(`${reply}\r\n`)
  }
  const server = createServer((socket) => {
    let isText = false
    socket.on('error', () => undefined).write('220 ready\r\n')
    socket.on('data', (chunk) => {
      const said = chunk.toString()
      const hasEnded = isText && said.endsWith('\r\n.\r\n')
      if (isText && !hasEnded) return
      const command = hasEnded ? 'END' : said.slice(0, 4).toUpperCase()
      isText = command === 'DATA' && !('DATA' in replies)
      void answer(socket, command)
    })
  })
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return portOf(server)
}

type Refusal = Partial<MailServer> & { to?: string; patience?: Patience }

async function send({
  to = 'jörg@acme.example',
  patience,
  replies = {},
  ...more
}: Refusal): Promise<Sending> {
  const port = await listen({ replies, ...more })
  const from = { name: 'Alerts', address: 'alerts@monitor.example' }
  const transport = createMailTransport({ host: '127.0.0.1', port, isSecure: false, from }, null, patience)
  const message = { subject: 'News', text: 'News', html: '<p>News</p>', messageId: '<1@monitor.example>' }
  try {
    return await transport.send({ ...message, to: { name: '', address: to }, unsubscribeUrl: null })
  } finally {
    transport.close()
  }
}

const beyond = 'the address has letters beyond ASCII, which a mail server takes only with SMTPUTF8'

it('an address with letters beyond ASCII is named as the reason where a server refuses it', async () => {
  expect(await send({ replies: { RCPT: '501 5.1.3 Bad recipient address syntax' } })).toEqual({
    kind: 'refused',
    reason: `the mail server refused it: 501 5.1.3 Bad recipient address syntax (${beyond})`,
  })
  expect(await send({ to: 'joerg@acme.example', replies: { RCPT: '550 5.1.1 Unknown' } })).toEqual({
    kind: 'refused',
    reason: 'the mail server refused it: 550 5.1.1 Unknown',
  })
})

it('so it is where a server ends the connection over it, and for now', async () => {
  expect(await send({ replies: { RCPT: null } })).toEqual({
    kind: 'later',
    reason: `the connection to the mail server ended before it took the message (${beyond})`,
  })
  expect(await send({ replies: { RCPT: '451 4.7.1 Greylisted' } })).toEqual({
    kind: 'later',
    reason: 'the mail server did not take it: 451 4.7.1 Greylisted',
  })
})

it.each([
  ['SMTPUTF8', '555 5.5.4 Unsupported option: SMTPUTF8', ` (${beyond})`],
  ['SMTPUTF8', '550 5.6.7 Non-ASCII addresses are not permitted', ` (${beyond})`],
  ['SIZE 100', '552 5.3.4 Message is too big', ''],
])(
  'what a server with %s says of the message before its recipient ends it: %s',
  async (offer, said, more) => {
    const to = more === '' ? 'joerg@acme.example' : 'jörg@acme.example'
    const sending = await send({ to, replies: { MAIL: said }, offers: [offer] })
    expect(sending).toEqual({ kind: 'refused', reason: `the mail server refused it: ${said}${more}` })
  },
)

it('a refused sender waits, whoever it is for', async () => {
  expect(await send({ replies: { MAIL: '550 5.7.1 Sender not allowed' }, offers: ['SMTPUTF8'] })).toEqual({
    kind: 'later',
    reason: 'the mail server did not take it: 550 5.7.1 Sender not allowed',
  })
})

it.each([
  ['RCPT', '554 5.7.1 <a@acme.example>: Relay access denied'],
  ['RCPT', '550 5.7.1 Service unavailable; client host [192.0.2.1] blocked'],
  ['RCPT', '553 5.7.1 <alerts@monitor.example>: Sender address rejected: not owned by user'],
  ['RCPT', '550 5.1.8 Access denied, bad outbound sender'],
  ['RCPT', '504 5.5.2 <monitor>: Helo command rejected: need fully-qualified hostname'],
  ['RCPT', '530 Authentication required'],
  ['RCPT', '503 AUTH first'],
  ['END', '550 5.7.60 Client does not have permissions to send as this sender'],
  ['DATA', '503 Bad sequence of commands'],
])('what is for the operator to mend waits, at whatever command it is said: %s %s', async (command, said) => {
  expect(await send({ to: 'a@acme.example', replies: { [command]: said } })).toEqual({
    kind: 'later',
    reason: `the mail server did not take it: ${said}`,
  })
})

it.each([
  ['RCPT', '550 No such user'],
  ['RCPT', '550 5.1.1 Unknown'],
  ['RCPT', '550 5.1.0 Address rejected'],
  ['RCPT', '552 5.2.2 Mailbox full'],
  ['RCPT', '556 5.1.10 Recipient address has null MX'],
  ['END', '554 5.6.0 Message content rejected'],
  ['END', '550 5.0.0 Refused'],
])('a refusal of the recipient or the message ends it: %s %s', async (command, said) => {
  expect(await send({ to: 'a@acme.example', replies: { [command]: said } })).toEqual({
    kind: 'refused',
    reason: `the mail server refused it: ${said}`,
  })
})

it('a server that does not speak SMTP is named so', async () => {
  expect(await send({ replies: { EHLO: 'HTTP/1.1 400', HELO: 'HTTP/1.1 400' } })).toEqual({
    kind: 'later',
    reason: 'what the mail server answered is not SMTP',
  })
})

it.each([
  ['RCPT', 'later'],
  ['END', 'sent'],
])('only a server that has the whole text is waited for long: slow at %s', async (command, kind) => {
  const patience = { untilHandedMs: 1_000, untilTakenMs: 60_000 }
  const sending = await send({ to: 'a@acme.example', patience, slow: { command, ms: 2_000 } })
  expect(sending.kind).toBe(kind)
})

it('one that never answers to the text is not waited for without end', async () => {
  const patience = { untilHandedMs: 60_000, untilTakenMs: 300 }
  const sending = await send({ to: 'a@acme.example', patience, slow: { command: 'END', ms: 5_000 } })
  expect(sending).toEqual({ kind: 'later', reason: 'the mail server did not take the message in time' })
})
