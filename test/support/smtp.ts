import { once } from 'node:events'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { vi, expect } from 'vitest'
import { portOf } from './port-of.ts'

/** A message accepted by the server. */
export type TakenMail = {
  from: string
  to: string[]
  /** As sent on the wire. */
  raw: string
  /** By lower-case name, unfolded; the last one of each. */
  headers: Map<string, string>
  /** Decoded bodies by content type. */
  parts: Map<string, string>
  isSecure: boolean
  user: string | undefined
}

export type SmtpLab = {
  port: number
  url: string
  taken: TakenMail[]
  /** Passwords sent to the server, in any way. */
  passwords: string[]
  /** Sets the outcome of the next messages, one after another: an SMTP code, or `hang`. Later ones are accepted. */
  answer: (...codes: (number | 'hang')[]) => void
  /** Messages started, accepted or not. */
  begun: () => number
  wait: (count: number) => Promise<void>
  close: () => Promise<void>
}

type Options = Pick<SMTPServerOptions, 'key' | 'cert' | 'secure'> & {
  credentials?: { user: string; password: string }
  /** Offers no STARTTLS. */
  withoutTls?: boolean
}

/** A mail server on loopback. Without a certificate it offers no TLS. */
export async function startSmtpLab({ credentials, withoutTls, ...tls }: Options = {}): Promise<SmtpLab> {
  const taken: TakenMail[] = []
  const passwords: string[] = []
  const codes: (number | 'hang')[] = []
  let begun = 0
  const server = new SMTPServer({
    ...tls,
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    disabledCommands: [
      ...(withoutTls === true || tls.cert === undefined ? ['STARTTLS'] : []),
      ...(credentials === undefined ? ['AUTH'] : []),
    ],
    logger: false,
    onAuth: (auth, _session, done) => {
      passwords.push(auth.password ?? '')
      const isRight = auth.username === credentials?.user && auth.password === credentials?.password
      done(isRight ? null : new Error('no'), isRight ? { user: auth.username } : undefined)
    },
    onData: (stream, session, done) => {
      begun += 1
      const code = codes.shift()
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (code === 'hang') return
        if (code !== undefined) {
          done(Object.assign(new Error('come back\tlater'), { responseCode: code }))
          return
        }
        const raw = Buffer.concat(chunks).toString('utf8')
        const { mailFrom, rcptTo } = session.envelope
        taken.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          ...parse(raw),
          isSecure: session.secure,
          user: typeof session.user === 'string' ? session.user : undefined,
        })
        done()
      })
    },
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const port = portOf(server.server)
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    taken,
    passwords,
    answer: (...next) => codes.push(...next),
    begun: () => begun,
    wait: (count) =>
      vi.waitFor(() => expect(taken.length).toBeGreaterThanOrEqual(count), { timeout: 60_000, interval: 50 }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
      }),
  }
}

function parse(raw: string): Pick<TakenMail, 'headers' | 'parts'> {
  const { headers, body } = split(raw)
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1]
  const parts = new Map<string, string>()
  const bodies = boundary === undefined ? [raw] : body.split(`--${boundary}`).slice(1, -1)
  for (const part of bodies) {
    const own = split(part.replace(/^\r\n/, ''))
    const type = (own.headers.get('content-type') ?? '').split(';')[0] ?? ''
    parts.set(type, decode(own.body, own.headers.get('content-transfer-encoding') ?? '7bit'))
  }
  return { headers, parts }
}

function split(text: string): { headers: Map<string, string>; body: string } {
  const end = text.indexOf('\r\n\r\n')
  const headers = new Map<string, string>()
  for (const line of text
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  return { headers, body: text.slice(end + 4) }
}

function decode(body: string, encoding: string): string {
  switch (encoding) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('utf8')
    case 'quoted-printable': {
      const bytes = body
        .replaceAll(/=\r\n/g, '')
        .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      return Buffer.from(bytes, 'latin1').toString('utf8')
    }
    default:
      return body
  }
}
