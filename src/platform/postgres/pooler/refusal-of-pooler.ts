/** PgBouncer answers with this code whatever it refuses. */
export const poolerRefusalCode = '08P01'

const encryptedAlone = /^SSL required$/

/** PgBouncer takes encrypted sessions alone (`client_tls_sslmode`), and this one was not. */
export const wantsEncryption = (code: string | null, message: string): boolean =>
  code === poolerRefusalCode && encryptedAlone.test(message)

const sayings: readonly (readonly [says: RegExp, words: string])[] = [
  [
    /startup parameter|pooling mode/,
    'a pooler in front of the server refuses what the address asks for, or has statement mode; leave parameters out of the address, let the pooler have transaction or session mode, or name the server itself',
  ],
  [
    /authentication failed|no such user/,
    'the pooler knows no such role with this password; correct the address, or auth_file there',
  ],
  [
    encryptedAlone,
    'the pooler takes encrypted sessions alone (client_tls_sslmode); let sslmode in the address be verify-full, or require',
  ],
  [/no such database/, 'the pooler has no such database; correct the address, or [databases] there'],
]

/** What a pooler means, by its own words: they are compared and never repeated. What it knows of the server alone is in its log. */
export function refusalOfPooler(message: string): string {
  const [, words] = sayings.find(([says]) => says.test(message)) ?? []
  return (
    words ??
    'the pooler gets no session of the server, and says in its log why; is the server up, and does it let the pooler in (pg_hba.conf, server_tls_sslmode)?'
  )
}
