import type { Db } from '../../../database/connection.ts'
import type { CompiledRecord } from '../../../records/compiled-record.ts'
import { importEcosystem, NoSuchEcosystem, type MirrorImport } from './import-ecosystem.ts'
import { compileRecord } from '../../../records/osv/compile-record.ts'
import { fieldOf } from '../../../source-files/fields.ts'
import { parseDocument, type DocumentSource, type SourceDocument } from '../../../source-files/documents.ts'
import type { Mirror } from './mirror.ts'
import { readModified, type ModifiedLine } from './modified-index.ts'
import { countLiveRecords, selectModifiedTimes } from '../../ledger/in-store.ts'
import { readHere } from '../../reading/record-reading.ts'
import { RefusedData } from '../../../source-files/refused-data.ts'
import { recordUnchanged, type Ended } from '../../ledger/outcomes.ts'
import { selectSource } from '../../ledger/source-rows.ts'
import { sourceName } from '../../../records/ecosystem-source.ts'

/** With more changed records than this the whole file is cheaper than single ones. */
const maxSingleRecords = 250
const requestsAtOnce = 6

type Delta = { ecosystem: string; now: Date }

/**
 * Takes over the records of an ecosystem that changed since its watermark, in one transaction. The watermark moves only when all of them
 * were taken over.
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
  const documents = await fetchRecords(mirror, ecosystem, changed)
  const newest = lines.find(({ modifiedAt }) => modifiedAt <= now)
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

/** Lines whose record is not stored, or older. */
async function selectChanged(db: Db, lines: readonly ModifiedLine[]): Promise<string[]> {
  const times = await selectModifiedTimes(
    db,
    lines.map((line) => line.id),
  )
  const changed = lines.filter(({ id, modifiedAt }) => {
    const stored = times.get(id)
    return stored === undefined || stored < modifiedAt
  })
  return [...new Set(changed.map((line) => line.id))]
}

/** A record that is gone meanwhile is left to the comparison with the whole file. */
async function fetchRecords(
  mirror: Mirror,
  ecosystem: string,
  ids: readonly string[],
): Promise<SourceDocument[]> {
  const documents: SourceDocument[] = []
  for (let start = 0; start < ids.length; start += requestsAtOnce) {
    const slice = ids.slice(start, start + requestsAtOnce)
    const fetched = await Promise.all(slice.map((id) => fetchRecord(mirror, ecosystem, id)))
    documents.push(...fetched.filter((document) => document !== undefined))
  }
  return documents
}

async function fetchRecord(
  mirror: Mirror,
  ecosystem: string,
  id: string,
): Promise<SourceDocument | undefined> {
  const document = await mirror.fetchRecord(ecosystem, id)
  if (document === undefined) return undefined
  const found = fieldOf(parseDocument(document).value, 'id')
  if (found !== id) throw new RefusedData(`${document.name}: expected the record ${id}, found another`)
  return document
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
