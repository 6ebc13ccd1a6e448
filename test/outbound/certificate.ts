import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const openssl = '/usr/bin/openssl'
export const hasOpenssl = existsSync(openssl)

/** A new self-signed certificate for these names; its files are in the folder. */
export function makeCertificate(
  folder: string,
  ...names: [string, ...string[]]
): { key: Buffer; cert: Buffer } {
  const [key, cert] = [join(folder, `${names[0]}.key`), join(folder, `${names[0]}.pem`)]
  const subject = ['-subj', `/CN=${names[0]}`, '-addext', `subjectAltName=DNS:${names.join(',DNS:')}`]
  const files = ['-keyout', key, '-out', cert]
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...subject]
  execFileSync(openssl, request, { stdio: 'ignore' })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}
