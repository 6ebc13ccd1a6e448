import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Db, Tx } from '../database/connection.ts'
import { refuseShrunk, orderExploitedRefresh, storeEntries } from './catalogues/store-entries.ts'
import type { CataloguePlan } from './catalogues/plan-changes.ts'
import { replaceScores } from './epss/store-scores.ts'
import { readEuKev } from './eukev.ts'
import { readEuvdDump } from './euvd-dump.ts'
import { readMapping, storeMapping } from './euvd-mapping.ts'
import { readKev } from './kev.ts'
import { parseDocument, readBounded } from './osv/documents.ts'
import type { OnProgress } from './progress.ts'
import { RefusedData } from './refused-data.ts'
import { inImportTransaction, recordSuccess, selectSource } from './sources.ts'

export type CatalogueName = 'kev' | 'eukev' | 'euvd' | 'euvdMapping' | 'epss'

export type CatalogueReport = {
  source: CatalogueName
  records: number
  added: number
  changed: number
  withdrawn: number
}

export type CatalogueImport = {
  name: CatalogueName
  path: string
  /** Kept with the source. */
  address: string
  now: Date
  onProgress: OnProgress
}

/**
 * Takes over one catalogue file in one transaction, or, when anything is broken, nothing of it (`RefusedData`). The session holds the
 * import lock `catalogues`.
 */
export async function importCatalogue(session: Db, order: CatalogueImport): Promise<CatalogueReport> {
  const { name, path, address, now, onProgress } = order
  const contentHash = await hashOfFile(path)
  const before = await selectSource(session, name)
  onProgress({ label: name, done: 0, total: null })
  const report = await inImportTransaction(session, async (tx) => {
    const isSame = before !== undefined && before.lastSuccessAt !== null && before.contentHash === contentHash
    const taken = isSame
      ? unchanged(name, before.recordCount)
      : await takeOver(tx, order, before?.recordCount ?? 0)
    if (taken.records === 0) throw new RefusedData('expected entries, found none')
    await recordSuccess(tx, { name, address, now, recordCount: taken.records, contentHash, isWhole: true })
    return taken
  })
  onProgress({ label: name, done: report.records, total: report.records })
  return report
}

function unchanged(source: CatalogueName, records: number): CatalogueReport {
  return { source, records, added: 0, changed: 0, withdrawn: 0 }
}

async function takeOver(tx: Tx, order: CatalogueImport, recordsBefore: number): Promise<CatalogueReport> {
  const { name, now } = order
  switch (name) {
    case 'kev': {
      const entries = readKev((await readJson(order.path)).value)
      return planReport(name, entries.length, await storeEntries(tx, { feed: 'kev', entries, now }))
    }
    case 'eukev': {
      const entries = readEuKev(listOf((await readJson(order.path)).value))
      return planReport(name, entries.length, await storeEntries(tx, { feed: 'eukev', entries, now }))
    }
    case 'euvd': {
      const { entries, total } = readEuvdDump(listOf((await readJson(order.path)).value))
      refuseShrunk(total, recordsBefore)
      return planReport(name, total, await storeEntries(tx, { feed: 'euvd', entries, now }))
    }
    case 'euvdMapping':
      return takeOverMapping(tx, order)
    case 'epss':
      return takeOverScores(tx, order)
  }
}

async function takeOverMapping(tx: Tx, { path, now, onProgress }: CatalogueImport): Promise<CatalogueReport> {
  const onRows = (done: number) => onProgress({ label: 'euvdMapping', done, total: null })
  const { rows, before, added, removed } = await storeMapping(tx, readMapping(path), onRows)
  refuseShrunk(rows, before)
  if (added + removed > 0) await orderExploitedRefresh(tx, now)
  return { source: 'euvdMapping', records: rows, added, changed: 0, withdrawn: removed }
}

/** Scores are joined when findings are read, so nothing is told to anyone. */
async function takeOverScores(tx: Tx, { path, onProgress }: CatalogueImport): Promise<CatalogueReport> {
  const onRows = (done: number) => onProgress({ label: 'epss', done, total: null })
  const { rows, added, changed, removed } = await replaceScores(tx, { path, onRows })
  return { source: 'epss', records: rows, added, changed, withdrawn: removed }
}

function planReport(source: CatalogueName, records: number, plan: CataloguePlan): CatalogueReport {
  return {
    source,
    records,
    added: plan.added + plan.returned,
    changed: plan.edited,
    withdrawn: plan.removed,
  }
}

async function readJson(path: string): Promise<{ value: unknown }> {
  return parseDocument({ name: 'the catalogue', bytes: await readBounded(path) })
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}
