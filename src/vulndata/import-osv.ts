import { basename } from 'node:path'
import type { Db } from '../database/connection.ts'
import { compileScore, isEuvdRecord } from './euvd/compile-score.ts'
import { compileCve } from './nvd/compile-cve.ts'
import { isOverride } from './nvd/read-cve.ts'
import { importRecords, type RecordReport } from './import-records.ts'
import { fieldOf } from './osv/fields.ts'
import { compileRecord, type CompiledRecord } from './osv/compile-record.ts'
import { parseDocument, type DocumentSource, type SourceDocument } from './osv/documents.ts'
import { isEcosystemName, type Mirror } from './osv/mirror.ts'
import { newestModified } from './osv/modified-index.ts'
import type { OnProgress } from './progress.ts'
import { RefusedData } from './refused-data.ts'
import { compileCveRecord } from './vulnrichment/compile-cve-record.ts'
import { isCveRecord } from './vulnrichment/read-cve-record.ts'

/** An OSV record out of its document. */
export function compileOsv(document: SourceDocument): CompiledRecord {
  const { text, value } = parseDocument(document)
  return compileRecord(value, text, document.name)
}

/**
 * A document that a folder or file of records may hold: an OSV record, an override of an NVD entry, a CVE record, or a record of EUVD.
 * undefined: one of EUVD that scores no CVE, and a JSON schema, as the repository of vulnrichment has some beside its records.
 */
function compileAny(document: SourceDocument): CompiledRecord | undefined {
  const { text, value } = parseDocument(document)
  if (isCveRecord(value)) return compileCveRecord(value, document.name)
  if (isEuvdRecord(value)) return compileScore(value)
  if (isOverride(value)) return compileCve(value, document.name)
  return isSchema(value) ? undefined : compileRecord(value, text, document.name)
}

function isSchema(value: unknown): boolean {
  return typeof fieldOf(value, '$schema') === 'string' && typeof fieldOf(value, '$id') === 'string'
}

type Common = { now: Date; onProgress: OnProgress }

type WholeImport = Common & {
  ecosystem: string
  contentHash: string | null
  /** The ecosystem's index, where it was fetched just now. */
  index?: string
}

/**
 * Takes over the whole of one ecosystem of a mirror: records that its file lacks are withdrawn. The watermark for deltas is read
 * before the file, so that nothing falls between the two.
 */
export async function importEcosystem(
  session: Db,
  mirror: Mirror,
  { ecosystem, contentHash, ...common }: WholeImport,
): Promise<RecordReport> {
  const index = common.index ?? (await mirror.fetchIndex(ecosystem))
  const watermark = index === undefined ? null : await newestModified(index)
  const source = await mirror.openWhole(ecosystem, common.onProgress)
  if (source === undefined) throw new RefusedData(`the source has no ecosystem "${ecosystem}"`)
  return closing(source, () =>
    importRecords(session, {
      ...common,
      source,
      compile: compileOsv,
      label: ecosystem,
      address: mirror.address,
      ecosystem,
      extent: 'whole',
      watermark,
      contentHash,
    }),
  )
}

type FileImport = Common & {
  source: DocumentSource
  from: string
  /** The operator says that these are all records of their sources. */
  isComplete: boolean
}

/**
 * Takes over OSV records, overrides of NVD entries (anchore/nvd-data-overrides) or CVE records (cisagov/vulnrichment) from a file or
 * folder. A file called `all.zip` is the whole of an ecosystem, or of all there are, like the public ones, and so is what the operator
 * declares complete: records it lacks are withdrawn. Any other set of records is a part, which adds to what is there.
 */
export async function importRecordFile(
  session: Db,
  { source, from, isComplete, ...common }: FileImport,
): Promise<RecordReport> {
  return closing(source, async () => {
    const isWhole = isComplete || lastName(from) === 'all.zip'
    const ecosystem = isWhole ? await commonEcosystem(source, from) : null
    const place = {
      label: lastName(from),
      address: from,
      ecosystem,
      extent: isWhole ? 'whole' : 'part',
    } as const
    const order = { ...common, ...place, source, compile: compileAny }
    return importRecords(session, isWhole ? { ...order, watermark: null, contentHash: null } : order)
  })
}

/** The one ecosystem that all sampled records name; the folder of the file decides between several. null: none is common. */
async function commonEcosystem(source: DocumentSource, from: string): Promise<string | null> {
  let common: Set<string> | undefined
  for await (const document of source.sample()) {
    const record = compileAny(document)
    if (record?.source !== null || record.ecosystems.length === 0) continue
    common = common?.intersection(new Set(record.ecosystems)) ?? new Set(record.ecosystems)
  }
  const names = [...(common ?? [])].filter(isEcosystemName)
  const folder = decodeURIComponent(from.split('/').at(-2) ?? '')
  return names.find((name) => name === folder) ?? names[0] ?? null
}

function lastName(from: string): string {
  const url = URL.parse(from)
  return basename(url === null ? from : url.pathname)
}

async function closing<T>(source: DocumentSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await source.close()
  }
}
