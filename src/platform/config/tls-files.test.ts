import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { judgeTlsFiles } from './tls-files.ts'

const openssl = '/usr/bin/openssl'
const hasOpenssl = existsSync(openssl)
const folder = mkdtempSync(join(tmpdir(), 'tls-'))
const file = (name: string) => join(folder, name)

beforeAll(() => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  writeFileSync(file('other.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const cipher = { cipher: 'aes-256-cbc', passphrase: 'secret' }
  writeFileSync(file('locked.key'), privateKey.export({ type: 'pkcs8', format: 'pem', ...cipher }))
  writeFileSync(file('text'), 'no PEM')
  if (!hasOpenssl) return
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', file('own.key')]
  const request = ['req', '-x509', ...key, '-days', '2', '-subj', '/CN=a.test', '-out', file('cert.pem')]
  execFileSync(openssl, request, { stdio: 'ignore' })
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('judgeTlsFiles', () => {
  it.each([
    ['no.pem', 'other.key', ['TLS_CERT: expected a file that can be read, found none']],
    ['.', 'other.key', ['TLS_CERT: expected a file that can be read, found a folder']],
    ['text', 'other.key', ['TLS_CERT: expected a certificate in PEM form']],
    [
      'text',
      'text',
      ['TLS_CERT: expected a certificate in PEM', 'TLS_KEY: expected a private key in PEM form'],
    ],
    ['no.pem', 'locked.key', ['TLS_CERT', 'TLS_KEY: expected a private key in PEM form without passphrase']],
  ])('%s with %s', (certFile, keyFile, expected) => {
    const mistakes = judgeTlsFiles({ certFile: file(certFile), keyFile: file(keyFile) })
    expect(mistakes).toEqual(expected.map((start): unknown => expect.stringContaining(start)))
  })

  it.skipIf(process.getuid?.() === 0)('names a file that may not be read (needs not to be root)', () => {
    writeFileSync(file('closed.key'), '')
    chmodSync(file('closed.key'), 0)
    const [mistake] = judgeTlsFiles({ certFile: file('closed.key'), keyFile: file('other.key') })
    expect(mistake).toContain('found one this user may not read')
  })

  it.skipIf(!hasOpenssl)('takes a pair, and no key of another certificate (needs openssl)', () => {
    expect(judgeTlsFiles({ certFile: file('cert.pem'), keyFile: file('own.key') })).toEqual([])
    expect(judgeTlsFiles({ certFile: file('cert.pem'), keyFile: file('other.key') })).toEqual([
      expect.stringContaining('TLS_CERT, TLS_KEY: expected a key that belongs to the certificate'),
    ])
  })
})
