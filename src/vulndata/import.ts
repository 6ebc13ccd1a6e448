import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { Db } from '../database/connection.ts'
import type { Config } from '../platform/config.ts'
import type { Deps } from '../platform/deps.ts'
import { OutboundError } from '../platform/outbound/outbound-error.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { importCatalogue, type CatalogueName, type CatalogueReport } from './import-catalogue.ts'
import { hasScores, importScores } from './import-euvd.ts'
import { importNvd } from './import-nvd.ts'
import { importEcosystem, importRecordFile } from './import-osv.ts'
import type { RecordReport } from './import-records.ts'
import type { DocumentFile } from './osv/documents.ts'
import { folderMirror, isEcosystemName, webMirror, type Mirror } from './osv/mirror.ts'
import type { OnProgress } from './progress.ts'
import { isReadBeside } from './reading/open-records.ts'
import { prepareReadingThread } from './reading/reading-threads.ts'
import { selectUsedEcosystems } from './queries.ts'
import { readHead, recogniseFile } from './recognise.ts'
import { describeContent, reasonOf, RefusedData } from './refused-data.ts'
import { recordFailure, withImportLock, type ImportLock } from './sources.ts'
import { sourceName } from './store/store-records.ts'

export type ImportReport = RecordReport | CatalogueReport

export type ImportDeps = Pick<Deps, 'db' | 'log'> & { config: Pick<Config, 'lab' | 'outboundAllowedHosts'> }

export type ImportOrder = {
  /** A path or an http(s) address, as an operator types it: loopback addresses and plain http are allowed. */
  from: string
  /** The file or folder holds all records of its sources, not some of them. */
  isComplete?: boolean
  now: Date
  onProgress?: OnProgress
}

/**
 * Loads vulnerability data from a file, folder or address: OSV records (`all.zip`, a folder, NDJSON, a mirror laid out like the public
 * bucket), NVD feed files and overrides of them, CISA's vulnrichment, CISA KEV, EU KEV, the EUVD dump, mapping or records, EPSS scores;
 * which, is seen from the content. Each part is taken over whole in one transaction or not at all. Throws `RefusedData` when anything was refused, after everything else was taken over.
 */
export async function importVulnerabilityData(deps: ImportDeps, order: ImportOrder): Promise<ImportReport[]> {
  const { from, now, isComplete = false } = order
  const onProgress = order.onProgress ?? (() => undefined)
  const folder = await mkdtemp(join(tmpdir(), 'vulnerability-data-'))
  try {
    const origin = { db: deps.db, from, isComplete, now, onProgress }
    if (isWebAddress(from)) {
      // a file needs no client for the network, which takes long to load
      const { outboundOf } = await import('./configured-outbound.ts')
      return await importAddress({ ...origin, outbound: outboundOf(deps.config), folder })
    }
    return await importPath({ ...origin, from: resolve(from) })
  } catch (error) {
    if (error instanceof OutboundError) throw new RefusedData(`${from}: ${error.message}`, { cause: error })
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isWebAddress(from: string): boolean {
  return /^https?:\/\//i.test(from)
}

type Origin = { db: Db; from: string; isComplete: boolean; now: Date; onProgress: OnProgress }

async function importPath(origin: Origin): Promise<ImportReport[]> {
  const { from } = origin
  const found = await stat(from).catch(() => null)
  if (found === null)
    throw new RefusedData(`expected vulnerability data, found nothing that can be read at ${from}`)
  if (!found.isDirectory()) return importFile(origin, from)
  await prepareReadingThread()
  const mirror = folderMirror(from)
  const ecosystems = await mirror.listEcosystems()
  if (ecosystems.length > 0) return importMirror(origin, mirror, ecosystems)
  const parent = folderMirror(dirname(from))
  const name = basename(from)
  if ((await parent.listEcosystems()).includes(name)) return importMirror(origin, parent, [name])
  return [await importDocuments(origin, { kind: 'folder', path: from })]
}

type WebOrigin = Origin & { outbound: Outbound; folder: string }

/** The address is asked itself; where it answers nothing but a page, it may be a mirror, or one ecosystem of a mirror. */
async function importAddress(origin: WebOrigin): Promise<ImportReport[]> {
  const { outbound, folder } = origin
  const url = origin.from.replace(/\/+$/, '')
  const toFile = join(folder, 'download')
  const onBytes = (done: number, total: number | null) =>
    origin.onProgress({ label: 'download, bytes', done, total })
  const answer = await outbound.download({ url, purpose: 'feed', operatorsOwn: true, toFile, onBytes })
  const page = answer.status === 200 ? await pageIn(toFile) : `status ${answer.status}`
  if (page === null) return importFile(origin, toFile)
  const web = { outbound, folder, operatorsOwn: true }
  const mirror = webMirror({ ...web, url })
  const ecosystems = await mirror.listEcosystems()
  if (ecosystems.length > 0) return importMirror(origin, mirror, ecosystems)
  const name = decodeURIComponent(basename(new URL(url).pathname))
  if (isEcosystemName(name)) {
    const parent = webMirror({ ...web, url: dirname(url) })
    if ((await parent.wholeFile(name)) !== undefined) return importMirror(origin, parent, [name])
  }
  throw new RefusedData(`expected vulnerability data at the address, found ${page}`)
}

/** What stands in a file that is no data but a page, or nothing; null for anything else. */
async function pageIn(path: string): Promise<string | null> {
  const content = describeContent(await readHead(path))
  return content.startsWith('content') ? null : content
}

/** What the components in the store are waiting for comes first. */
async function importMirror(
  origin: Origin,
  mirror: Mirror,
  ecosystems: readonly string[],
): Promise<ImportReport[]> {
  const { now, onProgress } = origin
  const reports: ImportReport[] = []
  const refusals: string[] = []
  const used = new Set(await selectUsedEcosystems(origin.db)).intersection(new Set(ecosystems))
  for (const ecosystem of used.union(new Set(ecosystems))) {
    try {
      const order = { ecosystem, contentHash: null, now, onProgress }
      reports.push(await locked(origin, 'records', (session) => importEcosystem(session, mirror, order)))
    } catch (error) {
      const message = reasonOf(error)
      if (message === null) throw error
      await recordFailure(origin.db, { name: sourceName(ecosystem), address: mirror.address, now, message })
      refusals.push(`${ecosystem}: ${message}`)
    }
  }
  if (refusals.length === 0) return reports
  const taken = reports.map((report) => report.source).join(', ') || 'nothing else'
  throw new RefusedData(`${refusals.join('\n')}\nTaken over: ${taken}`)
}

async function importFile(origin: Origin, path: string): Promise<ImportReport[]> {
  const kind = await recogniseFile(path)
  switch (kind) {
    case 'zip':
    case 'record':
      return [await importDocuments(origin, { kind, path })]
    case 'records':
      return [await importDocuments(origin, { kind: 'lines', path })]
    case 'nvd':
      return [await importFeed(origin, path)]
    case 'euvdRecords':
      return [await importEuvdScores(origin, path)]
    case 'euvd': {
      const taken = await importCatalogueFile(origin, { name: kind, path })
      return (await hasScores(origin.db, path)) ? [taken, await importEuvdScores(origin, path)] : [taken]
    }
    case 'kev':
    case 'eukev':
    case 'euvdMapping':
    case 'epss':
      return [await importCatalogueFile(origin, { name: kind, path })]
  }
}

async function importDocuments({ db, from, ...common }: Origin, file: DocumentFile): Promise<ImportReport> {
  if (await isReadBeside(file)) await prepareReadingThread()
  const work = (session: Db) => importRecordFile(session, { ...common, file, from })
  return locked({ db, onProgress: common.onProgress }, 'records', work)
}

async function importFeed({ db, isComplete, ...order }: Origin, path: string): Promise<ImportReport> {
  const extent = isComplete ? 'whole' : 'part'
  const work = (session: Db) => importNvd(session, { ...order, path, extent })
  return locked({ db, onProgress: order.onProgress }, 'records', work)
}

async function importEuvdScores({ db, ...order }: Origin, path: string): Promise<ImportReport> {
  const work = (session: Db) => importScores(session, { ...order, path })
  return locked({ db, onProgress: order.onProgress }, 'records', work)
}

async function importCatalogueFile(
  { db, from, now, onProgress }: Origin,
  { name, path }: { name: CatalogueName; path: string },
): Promise<ImportReport> {
  try {
    const order = { name, path, address: from, now, onProgress }
    return await locked({ db, onProgress }, 'catalogues', (session) => importCatalogue(session, order))
  } catch (error) {
    if (error instanceof RefusedData)
      await recordFailure(db, { name, address: from, now, message: error.message })
    throw error
  }
}

/** Waits for an import of another process, and says so. */
async function locked<T>(
  { db, onProgress }: Pick<Origin, 'db' | 'onProgress'>,
  lock: ImportLock,
  work: (session: Db) => Promise<T>,
): Promise<T> {
  let waited = 0
  const isWaiting = () =>
    onProgress({ label: 'waiting for another import', done: (waited += 1), total: null })
  const done = await withImportLock(db, { lock, isWaiting }, async (session) => ({
    result: await work(session),
  }))
  if (done === undefined) throw new Error('the import lock was not taken')
  return done.result
}
