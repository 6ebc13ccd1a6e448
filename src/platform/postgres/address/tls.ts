import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { AddressError } from './split-uri.ts'

/** PostgreSQL manual, "SSL Support", table "SSL Mode Descriptions". */
export const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const

export const tlsVersions = ['TLSv1.2', 'TLSv1.3'] as const

export type TlsSettings = {
  mode: (typeof sslModes)[number]
  /** The file of the authorities that are trusted; `system`: those that Node trusts. Null: none is named. */
  rootCert: string | null
  /** Files by which this side proves who it is. */
  client: { cert: string; key: string; passphrase: string | null } | null
  /** The oldest version of TLS that is spoken. */
  minVersion: (typeof tlsVersions)[number]
}

/** What the driver is given for a session that is encrypted; Node's names. */
export type TlsOptions = {
  rejectUnauthorized: boolean
  ca?: Buffer
  checkServerIdentity?: () => undefined
  cert?: Buffer
  key?: Buffer
  passphrase?: string
  minVersion: TlsSettings['minVersion']
}

/** Whether a session is encrypted, in the order in which that is tried. */
export type Encryption = 'tls' | 'plain'

export function encryptionsOf(mode: TlsSettings['mode'], host: string): Encryption[] {
  // A unix socket leaves the machine nowhere; the mode does not count there.
  if (host.startsWith('/') || mode === 'disable') return ['plain']
  if (mode === 'allow') return ['plain', 'tls']
  return mode === 'prefer' ? ['tls', 'plain'] : ['tls']
}

/**
 * How the server's certificate is judged. `require` proves nothing, unless an authority is named: then it is `verify-ca`, as for libpq.
 * `verify-full` without one trusts the public authorities, where libpq would refuse. Files are read each time, so that they can be renewed.
 */
export function tlsOptions({ mode, rootCert, client, minVersion }: TlsSettings): TlsOptions {
  const ca = rootCert === null || rootCert === 'system' ? null : readPem('sslrootcert', rootCert)
  const checksName = mode === 'verify-full'
  return {
    rejectUnauthorized: ca !== null || checksName,
    minVersion,
    ...(ca !== null && { ca }),
    ...(!checksName && { checkServerIdentity: () => undefined }),
    ...(client !== null && { cert: readPem('sslcert', client.cert), key: readPem('sslkey', client.key) }),
    ...(client !== null && client.passphrase !== null && { passphrase: client.passphrase }),
  }
}

/** Throws AddressError where the files are not what they should be, so that the mistake shows at start. */
export function judgeTls(settings: TlsSettings): void {
  const { ca, cert, key, passphrase } = tlsOptions(settings)
  if (ca !== undefined)
    expectParsed('sslrootcert to name a file of certificates in PEM form', () => new X509Certificate(ca))
  if (cert === undefined || key === undefined) return
  const pair =
    'sslcert and sslkey to name a certificate and its key in PEM form, the key open or with its passphrase in sslpassword'
  const fits = expectParsed(pair, () =>
    new X509Certificate(cert).checkPrivateKey(createPrivateKey({ key, passphrase })),
  )
  if (!fits) throw new AddressError('expected sslkey to belong to sslcert, found the key of another one')
}

function expectParsed<T>(expected: string, parse: () => T): T {
  try {
    return parse()
  } catch {
    // OpenSSL's own words ("no start line") say less.
    throw new AddressError(`expected ${expected}, found something else`)
  }
}

function readPem(parameter: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new AddressError(
      `expected ${parameter} to name a file that can be read, found "${file}" (${reason})`,
    )
  }
}

/** The driver's message for a server that declines TLS. */
export const noTlsSaying = 'The server does not support SSL connections'
