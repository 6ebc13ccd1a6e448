import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { sql } from 'kysely'
import pino from 'pino'
import type { Db } from '../../src/database/connection.ts'
import { matchPackages } from '../../src/findings/changes/match-packages.ts'
import type { JobKind, JobPayload } from '../../src/jobs.ts'
import { importVulnerabilityData, type ImportDeps } from '../../src/vulndata/import.ts'
import type { ImportReport } from '../../src/vulndata/reading/record-import.ts'
import { waitingAtMost, type ImportLock, type Waiting } from '../../src/vulndata/ledger/import-lock.ts'
import type { RefreshDeps } from '../../src/vulndata/refresh.ts'
import { configuredSources } from '../../src/vulndata/sources/all.ts'
import { testNow } from '../support/clock.ts'
import { addIdentity as addPart } from '../support/parts.ts'
import { portOf } from '../support/port-of.ts'

const noFeeds = Object.fromEntries(configuredSources.map(({ id }) => [id, null]))

const originsOf = (feeds: RefreshDeps['config']['feeds']): string[] =>
  Object.values(feeds).flatMap((address) => (address === null ? [] : [new URL(address).origin]))

/** Dependencies of imports and refreshes, with the named feeds switched on; their origins count as internal. */
export function importDeps(db: Db, feeds: RefreshDeps['config']['feeds'] = {}): ImportDeps & RefreshDeps {
  return {
    db,
    log: pino({ level: 'silent' }),
    config: {
      feeds: { ...noFeeds, ...feeds },
      lab: { clockOffsetFile: null, dnsServer: null, dialMap: null },
      outboundAllowedHosts: { origins: { sources: originsOf(feeds) }, bare: [] },
    },
  }
}

/** Imports a file of this name. */
export async function importFile(
  db: Db,
  [name, content]: [name: string, content: string | Buffer],
  how: { isComplete?: boolean; now?: Date } = {},
): Promise<ImportReport | undefined> {
  const from = join(folderOf({ [name]: content }), name)
  const [report] = await importVulnerabilityData(importDeps(db), { from, now: testNow, ...how })
  return report
}

/** For an import that writes straight to the database. */
export function asImportOf(lock: ImportLock): { lock: ImportLock; waiting: Waiting } {
  return { lock, waiting: waitingAtMost(60_000) }
}

export type TestRecord = { id: string; modified: string } & Record<string, unknown>

/** An OSV record on one package, affected from the first version up to `fixed`. */
export function record(id: string, packageName: string, parts: Record<string, unknown> = {}): TestRecord {
  const [ecosystem, name] = packageName.split('/', 2)
  const fixed = parts['fixed'] ?? '2.0.0'
  const rest = Object.fromEntries(Object.entries(parts).filter(([key]) => key !== 'fixed'))
  return {
    id,
    modified: '2025-06-01T00:00:00Z',
    summary: `${id} in ${name ?? ''}`,
    affected: [
      {
        package: { ecosystem, name },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed }] }],
      },
    ],
    ...rest,
  }
}

/** A zip file (APPNOTE 6.3.10) of named contents, deflated. */
export function zipOf(files: Record<string, string | Buffer>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const data = deflateRawSync(content)
    const sizes = Buffer.alloc(16)
    sizes.writeUInt32LE(crc32(content), 0)
    sizes.writeUInt32LE(data.length, 4)
    sizes.writeUInt32LE(content.length, 8)
    sizes.writeUInt16LE(Buffer.byteLength(name), 12)
    const local = Buffer.concat([
      Buffer.from('504b03041400000008000000210000', 'hex').subarray(0, 14),
      sizes,
      Buffer.from(name),
      data,
    ])
    const central = Buffer.alloc(46)
    Buffer.from('504b01021400140000000800000021', 'hex').copy(central)
    sizes.copy(central, 16)
    central.writeUInt32LE(offset, 42)
    directory.push(Buffer.concat([central, Buffer.from(name)]))
    parts.push(local)
    offset += local.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(directory.length, 8)
  end.writeUInt16LE(directory.length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, index, end])
}

/** `all.zip` of records. */
export function wholeFile(records: readonly TestRecord[]): Buffer {
  return zipOf(Object.fromEntries(records.map((each) => [`${each.id}.json`, JSON.stringify(each)])))
}

/** `modified_id.csv` of records, newest first. */
export function indexOf(records: readonly TestRecord[]): string {
  const lines = records.map((each) => `${each.modified},${each.id}`)
  return lines.sort().reverse().join('\n') + '\n'
}

/** Writes files into a new or given temporary folder; returns the folder. */
export function folderOf(
  files: Record<string, string | Buffer>,
  folder = mkdtempSync(join(tmpdir(), 'vulndata-test-')),
): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

export type WebServer = {
  url: string
  /** The files served, by path without the leading slash; a number is answered as a status. */
  files: Map<string, string | Buffer | number>
  /** Methods and paths requested so far. */
  asked: string[]
  close: () => void
}

/** A static server on loopback. */
export async function serve(files: Record<string, string | Buffer | number> = {}): Promise<WebServer> {
  const served = new Map(Object.entries(files))
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? '').slice(1))
    asked.push(`${request.method ?? ''} ${path}`)
    const content = served.get(path)
    if (content === undefined || typeof content === 'number') {
      response.writeHead(content ?? 404).end('not here')
      return
    }
    response
      .writeHead(200, { etag: `"${crc32(content)}"` })
      .end(request.method === 'HEAD' ? undefined : content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    files: served,
    asked,
    close: () => void server.close(),
  }
}

/** Files of a mirror with these records in one ecosystem. */
export function mirrorOf(ecosystem: string, records: readonly TestRecord[]): Record<string, string | Buffer> {
  return {
    [`${ecosystem}/all.zip`]: wholeFile(records),
    [`${ecosystem}/modified_id.csv`]: indexOf(records),
    ...Object.fromEntries(records.map((each) => [`${ecosystem}/${each.id}.json`, JSON.stringify(each)])),
  }
}

/** Adds a component of the package somewhere. */
export async function addIdentity(db: Db, ecosystem: string, name: string, version = '1.0.0'): Promise<void> {
  await addPart(db, { ecosystem, name, version, scheme: 'semver' })
}

/** Everything stored about the records, without row ids and import times: unchanged by an import without changes. */
export async function storedRecords(db: Db): Promise<unknown> {
  const { rows } = await sql`
    select v.record_id, v.source, v.class, v.severity, v.score, v.withdrawn_at, v.summary, v.content_hash, v.document, g.title_id,
      (select coalesce(json_agg(json_build_array(r.package_key, r.release, r.kind, r.introduced, r.upper_text, r.upper_included,
        encode(r.lower_key, 'hex'), encode(r.upper_key, 'hex')) order by r.id), '[]')
        from affected_range r where r.vulnerability_id = v.id) as ranges,
      (select coalesce(json_agg(json_build_array(a.relation, a.other_id, a.bridges) order by a.relation, a.other_id), '[]')
        from alias_assertion a where a.vulnerability_id = v.id) as assertions
    from vulnerability v join vulnerability_group g on g.id = v.group_id
    order by v.record_id`.execute(db)
  return rows
}

/** CISA's catalogue with these vulnerabilities; a new release each time. */
export function kevCatalogue(cves: readonly string[]): object {
  releases += 1
  const vulnerabilities = cves.map((cveID) => ({
    cveID,
    vendorProject: 'Acme',
    product: 'Pump',
    vulnerabilityName: cveID,
    dateAdded: '2025-03-01',
    knownRansomwareCampaignUse: 'Unknown',
  }))
  return { title: 'KEV', catalogVersion: `2026.${releases}`, count: cves.length, vulnerabilities }
}

let releases = 0

/** Takes the pending jobs out of the queue: kind and payload, in order. */
export async function takeJobs(db: Db): Promise<TakenJob[]> {
  const jobs = await db.deleteFrom('job').returning(['id', 'kind', 'payload']).execute()
  return jobs.sort((a, b) => a.id - b.id).map(({ kind, payload }) => ({ kind, payload }) as TakenJob)
}

type TakenJob = { [Kind in JobKind]: { kind: Kind; payload: JobPayload[Kind] } }[JobKind]

/** Takes them, and matches the packages they name, as the worker does. Returns how many of these there were. */
export async function matchTaken(db: Db): Promise<number> {
  let matched = 0
  for (const { kind, payload } of await takeJobs(db)) {
    if (kind !== 'match_packages') continue
    await matchPackages(db, { ...payload, now: testNow })
    matched += 1
  }
  return matched
}

/** Removes everything the tests in this folder write. */
export async function emptyStore(db: Db): Promise<void> {
  await sql`truncate job, euvd_mapping, exploited, data_source, unread_file, component_identity, vulnerability, vulnerability_group, affected_range, alias_assertion cascade`.execute(
    db,
  )
}
