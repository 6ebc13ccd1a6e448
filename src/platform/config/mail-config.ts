import { domainToASCII } from 'node:url'
import type { Environment } from './environment.ts'

/** The operator's mail server and the sender of messages. Safe to log. */
export type MailServer = Readonly<{
  host: string
  port: number
  /** TLS from the first byte; else STARTTLS where the server offers it. */
  isSecure: boolean
  from: { name: string; address: string }
}>

export type MailCredentials = Readonly<{ user: string; password: string }>

const expectedUrl =
  'SMTP_URL: expected smtp://host:port or smtps://host:port, with user:password@ before the host where the server wants them'

/** Reads SMTP_URL and MAIL_FROM; null without. Never repeats the URL, which may hold a password. */
export function readMail(
  env: Environment,
  mistakes: string[],
): { server: MailServer | null; credentials: MailCredentials | null } {
  const url = (env['SMTP_URL'] ?? '').trim()
  const from = readSender((env['MAIL_FROM'] ?? '').trim(), { isRequired: url !== '', mistakes })
  if (url === '') return off
  const read = readUrl(url)
  if (read === null) mistakes.push(expectedUrl)
  if (from === null || read === null) return off
  return { server: { ...read.server, from }, credentials: read.credentials }
}

const off = { server: null, credentials: null }

function readUrl(
  text: string,
): { server: Omit<MailServer, 'from'>; credentials: MailCredentials | null } | null {
  const url = URL.parse(text)
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '') return null
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return null
  const isSecure = url.protocol === 'smtps:'
  const credentials = readCredentials(url)
  if (credentials === 'malformed') return null
  return {
    server: {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
      isSecure,
    },
    credentials,
  }
}

function readCredentials({ username, password }: URL): MailCredentials | null | 'malformed' {
  if (username === '' && password === '') return null
  if (username === '' || password === '') return 'malformed'
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) }
  } catch {
    return 'malformed'
  }
}

const named = /^(?<name>[^<>\p{Cc}]*)<(?<address>[^<>\p{Cc}]+)>$/u

const localPart = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/
const domainPart = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/

function readSender(
  text: string,
  { isRequired, mistakes }: { isRequired: boolean; mistakes: string[] },
): MailServer['from'] | null {
  if (text === '') {
    if (isRequired)
      mistakes.push('MAIL_FROM: expected the address that mail is from, because SMTP_URL is set')
    return null
  }
  const { name = '', address = text } = named.exec(text)?.groups ?? {}
  const [local = '', domain = '', ...rest] = address.trim().split('@')
  const ascii = domainToASCII(domain)
  const isAddress = rest.length === 0 && localPart.test(local) && domainPart.test(ascii)
  if (!isAddress) {
    mistakes.push(`MAIL_FROM: expected an address or "Name <address>", found "${text}"`)
    return null
  }
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: `${local}@${ascii}` }
}
