import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { listSources } from '../../src/vulndata/source-states.ts'
import { hasOpenssl, makeCertificate } from '../outbound/certificate.ts'
import { startDnsServer, type DnsServer } from '../outbound/dns-server.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { emptyStore, importDeps } from './support.ts'
import { testNow } from '../support/clock.ts'
import { portOf } from '../support/port-of.ts'

const publisher = 'www.cisa.gov'
const copy = 'raw.githubusercontent.com'
const address = `https://${publisher}/sites/default/files/feeds/known_exploited_vulnerabilities.json`
const catalogue = JSON.stringify({
  catalogVersion: '2025.08.25',
  count: 1,
  vulnerabilities: [{ cveID: 'CVE-2025-1000', dateAdded: '2025-08-25' }],
})

let database: TestDatabase
let dns: DnsServer
let server: Server
let folder: string
let answers: Record<string, { status: number; body: string }>
const asked: string[] = []

beforeAll(async () => {
  if (!hasOpenssl) return
  database = await createTestDatabase()
  dns = await startDnsServer((name) =>
    [publisher, copy].includes(name) ? { a: ['93.184.215.14'] } : undefined,
  )
  folder = mkdtempSync(join(tmpdir(), 'fallback-'))
  const { key, cert } = makeCertificate(folder, publisher, copy)
  setDefaultCACertificates([...getCACertificates('default'), cert.toString()])
  server = createServer({ key, cert }, (incoming, response) => {
    const host = incoming.headers.host ?? ''
    asked.push(host)
    response.writeHead(answers[host]?.status ?? 404).end(answers[host]?.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  if (!hasOpenssl) return
  server.close()
  dns.close()
  rmSync(folder, { recursive: true })
  await database.drop()
})
beforeEach(async () => {
  asked.length = 0
  if (hasOpenssl) await emptyStore(database.db)
})

async function refresh() {
  const deps = importDeps(database.db, { kev: address })
  const port = portOf(server)
  const lab = {
    clockOffsetFile: null,
    dnsServer: dns.address,
    dialMap: { '93.184.215.14:443': `127.0.0.1:${port}` },
  }
  await refreshSource({ ...deps, config: { ...deps.config, lab } }, { source: 'kev', now: testNow })
  const [state] = await listSources(database.db)
  return state
}

test
  .skipIf(!hasOpenssl)
  .each([[{ status: 403, body: 'Forbidden' }], [{ status: 200, body: '<html>Access denied</html>' }]])(
  'where the publisher of the catalogue answers %j, its own copy is taken (needs openssl)',
  async (blocked) => {
    answers = { [publisher]: blocked, [copy]: { status: 200, body: catalogue } }
    expect(await refresh()).toMatchObject({ recordCount: 1, lastError: null, lastSuccessAt: testNow })
    expect(asked).toEqual([publisher, copy])
  },
)

test.skipIf(!hasOpenssl)('where the publisher answers, its copy is not asked (needs openssl)', async () => {
  answers = { [publisher]: { status: 200, body: catalogue }, [copy]: { status: 500, body: '' } }
  expect(await refresh()).toMatchObject({ recordCount: 1, lastError: null })
  expect(asked).toEqual([publisher])
})
