import { basename } from 'node:path'
import type { Db } from '../database/connection.ts'
import { compileCve } from './nvd/compile-cve.ts'
import { isOverride } from './nvd/read-cve.ts'
import { importRecords, type RecordReport } from './import-records.ts'
import { compileRecord, type CompiledRecord } from './osv/compile-record.ts'
import { parseDocument, type DocumentSource, type SourceDocument } from './osv/documents.ts'
import { isEcosystemName, type Mirror } from './osv/mirror.ts'
import { newestModified } from './osv/modified-index.ts'
import type { OnProgress } from './progress.ts'
import { RefusedData } from './refused-data.ts'

/** An OSV record out of its document. */
export function compileOsv(document: SourceDocument): CompiledRecord {
  const { text, value } = parseDocument(document)
  return compileRecord(value, text, document.name)
}

/** A document that a folder or file of records may hold: an OSV record, or an override of an NVD entry. */
function compileAny(document: SourceDocument): CompiledRecord {
  const { text, value } = parseDocument(document)
  return isOverride(value) ? compileCve(value, document.name) : compileRecord(value, text, document.name)
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
      isWhole: true,
      watermark,
      contentHash,
    }),
  )
}

type FileImport = Common & { source: DocumentSource; from: string }

/**
 * Takes over OSV records, or overrides of NVD entries (anchore/nvd-data-overrides), from a file or folder. A file called `all.zip` is the whole of an ecosystem, or of all there are, like the public
 * ones: records it lacks are withdrawn. Any other set of records adds to what is there.
 */
export async function importRecordFile(
  session: Db,
  { source, from, ...common }: FileImport,
): Promise<RecordReport> {
  return closing(source, async () => {
    const isWhole = lastName(from) === 'all.zip'
    const ecosystem = isWhole ? await commonEcosystem(source, from) : null
    const place = { label: lastName(from), address: from, ecosystem, isWhole }
    const order = { ...common, ...place, source, compile: compileAny }
    return importRecords(session, isWhole ? { ...order, watermark: null, contentHash: null } : order)
  })
}

/** The one ecosystem that all sampled records name; the folder of the file decides between several. null: none is common. */
async function commonEcosystem(source: DocumentSource, from: string): Promise<string | null> {
  let common: Set<string> | undefined
  for await (const document of source.sample()) {
    const { source: owner, ecosystems } = compileAny(document)
    if (owner === null && ecosystems.length > 0)
      common = common?.intersection(new Set(ecosystems)) ?? new Set(ecosystems)
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
