import { createTransport, type NodemailerError } from 'nodemailer'
import type { MailCredentials, MailServer } from '../../platform/config/mail-config.ts'
import { encodedText, looksEncoded } from './header-text.ts'
import { quoted } from '../messages/bounded.ts'

/** A message as it is handed to the mail server; one line each but the bodies. */
export type Message = {
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /** With its angle brackets. */
  messageId: string
  /** Where the member chooses what they get; of digests. */
  unsubscribeUrl: string | null
  /** Where answers go, if not to the sender. */
  replyTo?: string
}

/** `later`: the same message may be accepted another time. Reasons are sentences for the operator, without the server's credentials. */
export type Sending =
  | { kind: 'sent' }
  | { kind: 'later'; reason: string }
  | { kind: 'refused'; reason: string }

export type MailTransport = {
  send: (message: Message) => Promise<Sending>
  /** Ends what is under way. */
  close: () => void
}

const connectMs = 15_000

export type Patience = {
  /** From the connection to the end of the text. */
  untilHandedMs: number
  /**
   * From there to the answer. The server may have taken a message that is given up here, and gets it again: a check of contents may need its time
   * (RFC 5321, 4.5.3.2.6).
   */
  untilTakenMs: number
}
const usualPatience: Patience = { untilHandedMs: 60_000, untilTakenMs: 5 * 60_000 }

/**
 * Speaks to the operator's mail server, which may be an internal one: the only connections outward beside platform/outbound. A password
 * is never sent without TLS.
 */
export function createMailTransport(
  server: MailServer,
  credentials: MailCredentials | null,
  patience = usualPatience,
): MailTransport {
  const options: Options = {
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    requireTLS: credentials !== null && !server.isSecure,
    ...(credentials === null ? {} : { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: patience.untilHandedMs + patience.untilTakenMs,
    dnsTimeout: connectMs,
    maxResponseSize: 64 * 1024,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  const closing = new AbortController()
  return {
    send: async (letter) => {
      const waiting = startWaiting(patience)
      const transport = createTransport(options).use('stream', (mail, done) => {
        mail.message.processFunc((text) => text.once('end', waiting.onHanded))
        done()
      })
      try {
        const signal = AbortSignal.any([closing.signal, waiting.signal])
        await transport.sendMail({ ...messageOf(letter), from: server.from, signal })
        return { kind: 'sent' }
      } catch (error) {
        return judge(error, letter.to.address)
      } finally {
        waiting.stop()
      }
    },
    close: () => closing.abort(),
  }
}

function messageOf({ to, subject, text, html, messageId, unsubscribeUrl, replyTo }: Message) {
  return {
    to: { ...to, name: looksEncoded(to.name) ? '' : to.name },
    text,
    html,
    messageId,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(looksEncoded(subject) && {
        Subject: { prepared: true, foldLines: true, value: encodedText(subject) },
      }),
    },
    ...(!looksEncoded(subject) && { subject }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(unsubscribeUrl === null ? {} : { list: { unsubscribe: unsubscribeUrl } }),
  }
}

type Options = NonNullable<Parameters<typeof createTransport>[0]>

function startWaiting({ untilHandedMs, untilTakenMs }: Patience) {
  const controller = new AbortController()
  const giveUp = () => controller.abort()
  let timer = setTimeout(giveUp, untilHandedMs)
  const stop = () => clearTimeout(timer)
  const onHanded = () => {
    stop()
    timer = setTimeout(giveUp, untilTakenMs)
  }
  return { signal: controller.signal, onHanded, stop }
}

/**
 * Only a permanent refusal of the recipient or of the message itself ends it. A refused sign-in, client, sender or policy (5.7) is for the
 * operator to fix, and the message waits for that.
 */
function judge(error: unknown, recipient: string): Sending {
  if (!(error instanceof Error)) throw error
  const failure = error as NodemailerError
  const { code, responseCode, response = '' } = failure
  // Our own defect, not a failure of the mail server.
  if (code === undefined) throw error
  const isBeyondAscii = /[^\0-\x7f]/.test(recipient.slice(0, recipient.lastIndexOf('@')))
  const why = isBeyondAscii ? ` (${beyondAscii})` : ''
  if (responseCode === undefined) {
    const sentence =
      (isOfTls(failure) ? sentences['ETLS'] : sentences[code]) ??
      `the mail server could not be used (${code})`
    return { kind: 'later', reason: code === 'ECONNECTION' ? sentence + why : sentence }
  }
  const said = `${responseCode} ${quoted(withoutCode(response), saidCharacters)}`.trim()
  if (failure.permanent === true && isAboutMessage(failure, isBeyondAscii))
    return { kind: 'refused', reason: `the mail server refused it: ${said}${why}` }
  const what = code === 'EAUTH' ? 'the mail server refused the sign-in' : 'the mail server did not take it'
  return { kind: 'later', reason: `${what}: ${said}` }
}

/**
 * Whether a refusal is of the recipient or the message. Many servers say only at the recipient what they hold against the sender, the client or
 * its sign-in (Postfix: `smtpd_delay_reject`), so that the enhanced code tells, or without one the code.
 */
function isAboutMessage(
  { command, responseCode = 0, response = '' }: NodemailerError,
  isBeyondAscii: boolean,
): boolean {
  if (command === 'MAIL FROM')
    return ofMessage.test(response) || (isBeyondAscii && responseCode === unknownOption)
  if (command !== 'RCPT TO' && command !== 'DATA') return false
  return enhanced.test(response) ? ofRecipient.test(response) : !ofClient.has(responseCode)
}

const beyondAscii = 'the address has letters beyond ASCII, which a mail server takes only with SMTPUTF8'
const enhanced = /^5\d\d[ -]5\.\d{1,3}\.\d/
/** RFC 3463: the message is too big, or its content or addresses (RFC 6531) are not taken; also said of the sender's command. */
const ofMessage = /^5\d\d[ -]5\.(?:3\.4|6\.\d+)\b/
/** RFC 3463: besides, the recipient's address or mailbox, which x.1.7 and x.1.8 are not: they are the sender's address. */
const ofRecipient = /^5\d\d[ -]5\.(?:[02]\.\d+|1\.(?![78]\b)\d+|3\.4|6\.\d+)\b/
/** RFC 5321, RFC 4954: commands and their order, a server that takes no mail, signing in. */
const ofClient = new Set([500, 502, 503, 504, 521, 530, 534, 535, 538])
/** RFC 5321, of `MAIL FROM`; with such a recipient it names SMTPUTF8. */
const unknownOption = 555

/** System errors have names without an underscore, those of certificates and of TLS have one. */
function isOfTls({ code, originalCode }: NodemailerError): boolean {
  return code === 'ESOCKET' && originalCode?.includes('_') === true
}

const sentences: Partial<Record<string, string>> = {
  EDNS: 'the name of the mail server could not be resolved',
  ECONNECTION: 'the connection to the mail server ended before it took the message',
  ESOCKET: 'no connection to the mail server could be made',
  EPROTOCOL: 'what the mail server answered is not SMTP',
  ETIMEDOUT: 'the mail server did not answer in time',
  EABORT: 'the mail server did not take the message in time',
  ETLS: 'no TLS with the mail server: it offers none, or its certificate was refused',
  EAUTH: 'the mail server offers no way to sign in',
}

const saidCharacters = 200

function withoutCode(response: string): string {
  return response.replace(/^\d{3}[ -]/, '')
}
