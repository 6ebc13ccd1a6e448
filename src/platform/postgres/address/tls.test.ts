import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { judgeTls } from './tls.ts'

let folder: string
const file = (name: string) => join(folder, name)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sbom-monitor-test-'))
  const [own, other] = [await generate(), await generate()]
  writeFileSync(file('own.pem'), own.cert)
  writeFileSync(file('own.key'), own.private)
  writeFileSync(file('other.key'), other.private)
  writeFileSync(file('junk'), 'junk')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const judged = (rootCert: string | null, client: [string, string] | null) => () =>
  judgeTls({
    mode: 'verify-full',
    rootCert: rootCert === null ? null : file(rootCert),
    minVersion: 'TLSv1.2',
    client: client === null ? null : { cert: file(client[0]), key: file(client[1]), passphrase: null },
  })

it('files of TLS are judged at start', () => {
  expect(judged('own.pem', ['own.pem', 'own.key'])).not.toThrow()
  expect(judged(null, null)).not.toThrow()
})

it.each<[string, string | null, [string, string] | null]>([
  ['expected sslrootcert to name a file that can be read, found "', 'none', null],
  ['expected sslrootcert to name a file of certificates in PEM form, found something else', 'junk', null],
  ['expected sslcert to name a file that can be read, found "', null, ['none', 'own.key']],
  ['expected sslcert and sslkey to name a certificate and its key in PEM form', null, ['own.pem', 'junk']],
  ['expected sslkey to belong to sslcert, found the key of another one', null, ['own.pem', 'other.key']],
])('%s', (words, rootCert, client) => {
  expect(judged(rootCert, client)).toThrow(words)
})
