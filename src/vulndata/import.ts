import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Config } from '../platform/config/config.ts'
import type { Deps } from '../platform/deps.ts'
import { OutboundError } from '../platform/outbound/outbound-error.ts'
import type { OnProgress } from '../source-files/progress.ts'
import { describeContent, RefusedData } from '../source-files/refused-data.ts'
import { importDocuments } from './import-documents.ts'
import { waitingAloud, type Waiting } from './ledger/import-lock.ts'
import { inImportFolder } from './reading/in-folder.ts'
import { prepareReadingThread } from './reading/reading-threads.ts'
import { readHead, recogniseFile } from './recognise.ts'
import type { ImportReport } from './reading/record-import.ts'
import { sources } from './sources/all.ts'
import type { Layout, Web, Work } from './sources/source.ts'
import { tools } from './tools.ts'

export type ImportDeps = Pick<Deps, 'db' | 'log'> & { config: Pick<Config, 'lab' | 'outboundAllowedHosts'> }

export type ImportInput = {
  /** A path or an http(s) address, as an operator types it: loopback addresses and plain http are allowed. */
  from: string
  /** The file or folder holds all records of its sources, not some of them. */
  isComplete?: boolean
  now: Date
  onProgress?: OnProgress
}

/**
 * Loads vulnerability data of any source (`sources/all.ts`) from a file, folder or address; the content tells which source. Each part is
 * taken over whole in one transaction or not at all. Throws `RefusedData` when anything was refused, after everything else was taken over.
 */
export async function importVulnerabilityData(deps: ImportDeps, input: ImportInput): Promise<ImportReport[]> {
  const { from, now, isComplete = false } = input
  const onProgress = input.onProgress ?? (() => undefined)
  const { db } = deps
  const work = { db, tools, from, isComplete, now, onProgress, waiting: waitingFor(onProgress) }
  try {
    return await inImportFolder(async (folder) => {
      if (!isWebAddress(from)) return importPath({ ...work, from: resolve(from) })
      // a file needs no HTTP client, which takes long to load
      const { outboundOf } = await import('../platform/outbound/configured.ts')
      return importAddress(work, { outbound: outboundOf(deps.config), folder, url: withoutSlash(from) })
    })
  } catch (error) {
    if (error instanceof OutboundError) throw new RefusedData(`${from}: ${error.message}`, { cause: error })
    throw error
  }
}

function isWebAddress(from: string): boolean {
  return /^https?:\/\//i.test(from)
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

const layouts: readonly Layout[] = sources.flatMap(({ layout }) => layout ?? [])

async function importPath(work: Work): Promise<ImportReport[]> {
  const { from } = work
  const found = await stat(from).catch(() => null)
  if (found === null)
    throw new RefusedData(`expected vulnerability data, found nothing that can be read at ${from}`)
  if (!found.isDirectory()) return importFile(work, from)
  await prepareReadingThread()
  for (const layout of layouts) {
    const reports = await layout.folder(work, from)
    if (reports !== undefined) return reports
  }
  return importDocuments(work, { kind: 'folder', path: from })
}

/** The address itself is tried; where it answers only with a page, it may be laid out like a source. */
async function importAddress(work: Work, web: Web): Promise<ImportReport[]> {
  const { outbound, folder, url } = web
  const toFile = join(folder, 'download')
  const onBytes = (done: number, total: number | null) =>
    work.onProgress({ label: 'download, bytes', done, total })
  const answer = await outbound.download({ url, purpose: 'feed', operatorsOwn: true, toFile, onBytes })
  const page = answer.status === 200 ? await pageIn(toFile) : `status ${answer.status}`
  if (page === null) return importFile(work, toFile)
  for (const layout of layouts) {
    const reports = await layout.address(work, web)
    if (reports !== undefined) return reports
  }
  throw new RefusedData(`expected vulnerability data at the address, found ${page}`)
}

/** In the words of `describeContent`: an index, or a list of what a bucket holds. */
const pages = new Set(['nothing', 'an HTML page', 'an XML document'])

/** What a file contains that is a web page, or empty, instead of data; null for anything else, archives too. */
async function pageIn(path: string): Promise<string | null> {
  const content = describeContent(await readHead(path))
  return pages.has(content) ? content : null
}

async function importFile(work: Work, path: string): Promise<ImportReport[]> {
  const found = await recogniseFile(path)
  return 'source' in found ? found.file.import({ ...work, path }) : importDocuments(work, found)
}

/** Waits for an import of another process, and reports that. */
function waitingFor(onProgress: OnProgress): Waiting {
  let looks = 0
  return waitingAloud(() =>
    onProgress({ label: 'waiting for another import', done: (looks += 1), total: null }),
  )
}
