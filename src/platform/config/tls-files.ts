import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'

export type TlsFiles = { certFile: string; keyFile: string }

/** What is wrong with the files that HTTPS is served with, one line per variable. */
export function judgeTlsFiles({ certFile, keyFile }: TlsFiles): string[] {
  const mistakes: string[] = []
  const cert = readPem('TLS_CERT', certFile, mistakes)
  const key = readPem('TLS_KEY', keyFile, mistakes)
  const certificate = cert === null ? null : parsed(() => new X509Certificate(cert))
  const privateKey = key === null ? null : parsed(() => createPrivateKey(key))
  if (cert !== null && certificate === null)
    mistakes.push(`TLS_CERT: expected a certificate in PEM form, found something else in "${certFile}"`)
  if (key !== null && privateKey === null)
    mistakes.push(
      `TLS_KEY: expected a private key in PEM form without passphrase, found something else in "${keyFile}"`,
    )
  if (certificate !== null && privateKey !== null && !certificate.checkPrivateKey(privateKey))
    mistakes.push(
      `TLS_CERT, TLS_KEY: expected a key that belongs to the certificate; "${keyFile}" is of another one`,
    )
  return mistakes
}

function readPem(variable: string, file: string, mistakes: string[]): Buffer | null {
  try {
    return readFileSync(file)
  } catch (error) {
    mistakes.push(`${variable}: expected a file that can be read, ${reasonOf(error)}: "${file}"`)
    return null
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'found none'
  if (code === 'EISDIR') return 'found a folder'
  if (code === 'EACCES' || code === 'EPERM') return 'found one this user may not read'
  return `which failed with ${code ?? String(error)}`
}

/** OpenSSL's own words ("no start line") say less than the caller's. */
function parsed<T>(parse: () => T): T | null {
  try {
    return parse()
  } catch {
    return null
  }
}
