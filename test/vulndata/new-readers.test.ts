import { expect, it } from 'vitest'
import type { Db } from '../../src/database/connection.ts'
import { refreshSource } from '../../src/vulndata/refresh.ts'
import { fetchedSources, sourceOf } from '../../src/vulndata/sources/all.ts'
import { serveFiles } from './feed-scene.ts'
import { addIdentity, indexOf, wholeFile, zipOf } from './support.ts'

/** A release that reads more in files which have not changed since the one before read them. */

const files = serveFiles()
const start = new Date('2025-04-03T22:00:00Z')
const later = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

const refresh = (source: string, { now = start, path = '' } = {}) =>
  refreshSource(files.depsOf(source, path), { source, now })

/** As the release before left it, whose reader gave other rows. */
async function asReadBefore(db: Db, source: string): Promise<void> {
  const row = db.updateTable('data_source').where('name', '=', source)
  await row.set({ reader_generation: (sourceOf(source)?.readerGeneration ?? 0) - 1 }).execute()
  await db.updateTable('vulnerability').set({ content_hash: 'older' }).execute()
  await db.deleteFrom('affected_range').execute()
  await db.deleteFrom('malware_digest').execute()
  files.server.asked.length = 0
}

const ranges = async () => {
  const rows = await files.db.selectFrom('affected_range').select('package_key').execute()
  return rows.map((row) => row.package_key.replaceAll('\u001F', '/')).sort()
}

it('an ecosystem of OSV whose file is the same is read again, once', async () => {
  const digest = 'ab'.repeat(32)
  const evil = {
    id: 'MAL-2025-1',
    modified: '2025-01-01T00:00:00Z',
    affected: [
      {
        package: { ecosystem: 'npm', name: 'evil' },
        versions: ['1.0.0'],
        database_specific: { indicators: { package_integrity: [{ hashes: { sha256: digest } }] } },
      },
    ],
  }
  files.server.files.set('npm/all.zip', wholeFile([evil]))
  files.server.files.set('npm/modified_id.csv', indexOf([evil]))
  await addIdentity(files.db, 'npm', 'pump')
  await refresh('osv')
  const digests = () => files.db.selectFrom('malware_digest').select('hash').execute()
  expect(await digests()).toEqual([{ hash: `sha256:${digest}` }])
  await asReadBefore(files.db, 'osv')
  await refresh('osv', { now: later(10) })
  expect([await ranges(), await digests()]).toEqual([['npm/evil'], [{ hash: `sha256:${digest}` }]])
  files.server.asked.length = 0
  await refresh('osv', { now: later(20) })
  expect(files.server.asked).toEqual(['GET npm/modified_id.csv'])
})

it('the CVE list is read from all records on, though only changes would be asked for, and not before the hour', async () => {
  const record = JSON.stringify({
    dataType: 'CVE_RECORD',
    dataVersion: '5.2',
    cveMetadata: { cveId: 'CVE-2025-1000', state: 'PUBLISHED', dateUpdated: '2025-04-03T20:53:22.977Z' },
    containers: {
      cna: {
        affected: [
          {
            packageURL: 'pkg:npm/pump',
            versions: [{ version: '0', lessThan: '2.0.0', status: 'affected', versionType: 'semver' }],
          },
        ],
      },
    },
  })
  const name = '2025-04-03_all_CVEs_at_midnight.zip.zip'
  const assets = [{ name, browser_download_url: `${files.server.url}/${name}` }]
  const whole = zipOf({ 'cves/2025/1xxx/CVE-2025-1000.json': record })
  files.server.files.set('releases', JSON.stringify([{ assets }]))
  files.server.files.set(name, zipOf({ 'cves.zip': whole }))
  await addIdentity(files.db, 'npm', 'pump')
  await refresh('cve-list', { path: 'releases' })
  expect(await ranges()).toEqual(['npm/pump'])
  await asReadBefore(files.db, 'cve-list')
  await refresh('cve-list', { path: 'releases', now: later(10) })
  expect(await ranges()).toEqual(['npm/pump'])
  files.server.asked.length = 0
  await refresh('cve-list', { path: 'releases', now: later(20) })
  expect(files.server.asked).toEqual([])
})

/** Rows that say what was read of a source, beside its own. */
const sideRowOf: Readonly<Record<string, string[]>> = {
  osv: ['osv-reconcile:npm'],
  nvd: ['nvd-year:2024', 'nvd-scores:2024'],
}

it.each(fetchedSources.map(({ id }) => id))(
  '%s forgets what the earlier reader read, and is not begun again after a failure',
  async (id) => {
    const { db } = files
    const names = sourceOf(id)?.hasParts === true ? [] : [id]
    const rows = [...names, ...(sideRowOf[id] ?? [])]
    const remember = () =>
      db.updateTable('data_source').set({ content_hash: 'read' }).where('name', 'in', rows).execute()
    const remembered = async () =>
      (await db.selectFrom('data_source').select('name').where('content_hash', '=', 'read').execute()).length
    const address = files.server.url
    await db
      .insertInto('data_source')
      .values([...new Set([id, ...rows])].map((name) => ({ name, address, last_attempt_at: start })))
      .execute()
    await remember()
    expect(await remembered()).toBe(rows.length)
    await refresh(id, { now: later(24 * 60) })
    expect(await remembered()).toBe(0)
    await remember()
    await refresh(id, { now: later(48 * 60) })
    expect(await remembered()).toBe(rows.length)
  },
)
