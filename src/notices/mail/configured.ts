import type { Config, Secrets } from '../../platform/config/config.ts'
import type { MailDeps } from './send-mail.ts'
import { createMailTransport } from './transport.ts'

type Configured = Pick<MailDeps, 'transport' | 'serviceName' | 'baseUrl' | 'messageDomain'>

/** What the operator has configured of mail. */
export function mailOf(
  { mail, serviceName, baseUrl }: Pick<Config, 'mail' | 'serviceName' | 'baseUrl'>,
  { mailCredentials }: Pick<Secrets, 'mailCredentials'>,
): Configured {
  return {
    transport: mail === null ? null : createMailTransport(mail, mailCredentials),
    serviceName,
    baseUrl,
    messageDomain: mail?.from.address.split('@')[1] ?? new URL(baseUrl).hostname,
  }
}
