import type { Db } from '../../../database/connection.ts'
import type { CompiledRecord } from '../../../records/compiled-record.ts'
import { importEcosystem, NoSuchEcosystem, type MirrorImport } from './import-ecosystem.ts'
import { compileRecord } from '../../../records/osv/compile-record.ts'
import { fieldOf, timeOf } from '../../../source-files/fields.ts'
import { parseDocument, type DocumentSource, type SourceDocument } from '../../../source-files/documents.ts'
import type { Mirror } from './mirror.ts'
import { readModified, type ModifiedLine } from './modified-index.ts'
import { countLiveRecords, selectModifiedTimes } from '../../ledger/in-store.ts'
import { readHere } from '../../reading/record-reading.ts'
import { reasonOf, RefusedData } from '../../../source-files/refused-data.ts'
import { recordUnchanged, type Ended } from '../../ledger/outcomes.ts'
import { selectSource } from '../../ledger/source-rows.ts'
import { forgetUnread, noteUnread, selectAsked } from '../../ledger/unread-files.ts'
import { sourceName } from '../../../records/ecosystem-source.ts'

/** With more changed records than this the whole file is cheaper than single ones. */
const maxSingleRecords = 250
const requestsAtOnce = 6

type Delta = { ecosystem: string; now: Date }

/**
 * Takes over the records of an ecosystem that changed since its watermark, in one transaction. The watermark moves only when all of them
 * were taken over. A record that is older than its line comes from a cache: it is left out, and asked for again in the next turn, as is one that is not
 * there. The comparison with the whole file ends the asking for what was deleted. One that cannot be read keeps no other from being taken over: it
 * is noted, and asked for again ever more rarely.
 */
export async function importDelta(
  { db, tools, mirror, waiting }: MirrorImport,
  delta: Delta,
): Promise<ReadonlyMap<string, Ended>> {
  const { ecosystem, now } = delta
  const name = sourceName(ecosystem)
  const before = await selectSource(db, name)
  const index = await mirror.fetchIndex(ecosystem)
  if (index === undefined)
    throw new NoSuchEcosystem(`the source has no index of the ecosystem "${ecosystem}"`)
  const lines = await readModified(index, before?.watermark ?? null)
  const changed = await selectChanged(db, lines)
  const asked = await selectLines(db, { source: name, now }, changed)
  const importing = {
    ecosystem,
    fetchedAfter: before?.lastSuccessAt ?? null,
    now,
    onProgress: () => undefined,
  }
  if (changed.length > maxSingleRecords) {
    const whole = await importEcosystem(
      { db, tools, mirror, waiting },
      { ...importing, contentHash: null, index },
    )
    return whole.endings
  }
  const { found, failed } = await fetchRecords(mirror, ecosystem, asked)
  const documents = found.filter(({ isStale }) => !isStale).map(({ document }) => document)
  await forgetUnread(
    db,
    name,
    found.map(({ document }) => document.name),
  )
  await noteUnread(
    db,
    { source: name, now },
    failed.map(({ id, error }) => ({ name: `${id}.json`, reason: error.message })),
  )
  const [first] = failed
  if (first !== undefined && found.length === 0) throw first.error
  const isComplete = documents.length === changed.length
  const newest = isComplete ? lines.find(({ modifiedAt }) => modifiedAt <= now) : undefined
  const marked = newest === undefined ? {} : { watermark: newest.modifiedAt }
  if (documents.length === 0) {
    const has = { recordCount: await countLiveRecords(db, name), ...marked }
    return new Map([[name, await recordUnchanged(db, { name, address: mirror.address, now }, has)]])
  }
  const { endings } = await tools.importRecords(db, {
    ...importing,
    ...marked,
    reading: readHere(fetchedDocuments(documents), compileDocument),
    label: ecosystem,
    address: mirror.address,
    extent: 'changes',
    waiting,
  })
  return endings
}

/** Lines whose record is not stored, or older; of several on one record the newest. */
async function selectChanged(db: Db, lines: readonly ModifiedLine[]): Promise<ModifiedLine[]> {
  const times = await selectModifiedTimes(
    db,
    lines.map((line) => line.id),
  )
  const changed = lines.filter(({ id, modifiedAt }) => {
    const stored = times.get(id)
    return stored === undefined || stored < modifiedAt
  })
  const newestLast = changed.toSorted((a, b) => a.modifiedAt.getTime() - b.modifiedAt.getTime())
  return [...new Map(newestLast.map((line) => [line.id, line])).values()]
}

/** Those to ask for in this turn. */
async function selectLines(
  db: Db,
  turn: { source: string; now: Date },
  changed: readonly ModifiedLine[],
): Promise<ModifiedLine[]> {
  const { fresh, again } = await selectAsked(db, turn, changed, ({ id, modifiedAt }) => ({
    name: `${id}.json`,
    changedAt: modifiedAt,
  }))
  return [...fresh, ...again]
}

type Fetched = { document: SourceDocument; isStale: boolean }
type Failed = { id: string; error: Error }

/** Those that are there, and those that could not be read. */
async function fetchRecords(
  mirror: Mirror,
  ecosystem: string,
  lines: readonly ModifiedLine[],
): Promise<{ found: Fetched[]; failed: Failed[] }> {
  const found: Fetched[] = []
  const failed: Failed[] = []
  const fetch = async (line: ModifiedLine) => {
    try {
      const record = await fetchRecord(mirror, ecosystem, line)
      if (record !== undefined) found.push(record)
    } catch (error) {
      if (reasonOf(error) === null || !(error instanceof Error)) throw error
      failed.push({ id: line.id, error })
    }
  }
  for (let start = 0; start < lines.length; start += requestsAtOnce) {
    await Promise.all(lines.slice(start, start + requestsAtOnce).map(fetch))
    // a server that answers nothing is not asked for the rest
    if (found.length === 0 && failed.length >= requestsAtOnce) break
  }
  return { found, failed }
}

async function fetchRecord(
  mirror: Mirror,
  ecosystem: string,
  { id, modifiedAt }: ModifiedLine,
): Promise<Fetched | undefined> {
  const document = await mirror.fetchRecord(ecosystem, id)
  if (document === undefined) return undefined
  const { value, text } = parseDocument(document)
  const found = fieldOf(value, 'id')
  if (found !== id) throw new RefusedData(`${document.name}: expected the record ${id}, found another`)
  compileRecord(value, text, document.name).ranges()
  const stated = fieldOf(value, 'modified')
  const modified = typeof stated === 'string' ? timeOf(stated) : null
  return { document, isStale: modified !== null && modified < modifiedAt }
}

function fetchedDocuments(documents: readonly SourceDocument[]): DocumentSource {
  const read = async function* () {
    for (const document of documents) yield await Promise.resolve(document)
  }
  return { count: documents.length, read, sample: read, close: () => Promise.resolve() }
}

function compileDocument(document: SourceDocument): CompiledRecord {
  const { text, value } = parseDocument(document)
  return compileRecord(value, text, document.name)
}
