import { basename } from 'node:path'
import type { Db } from '../database/connection.ts'
import { importRecords, type RecordReport } from './import-records.ts'
import type { DocumentFile } from './osv/documents.ts'
import { isEcosystemName, type Mirror } from './osv/mirror.ts'
import { newestModified } from './osv/modified-index.ts'
import type { OnProgress } from './progress.ts'
import { openRecords } from './reading/open-records.ts'
import { commonEcosystems, type RecordReading } from './reading/record-reading.ts'
import { RefusedData } from './refused-data.ts'

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
  const file = await mirror.fetchWhole(ecosystem, common.onProgress)
  if (file === undefined) throw new RefusedData(`the source has no ecosystem "${ecosystem}"`)
  const reading = await openRecords({ file, compiler: 'osv' })
  return closing(reading, () =>
    importRecords(session, {
      ...common,
      reading,
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
  file: DocumentFile
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
  { file, from, isComplete, ...common }: FileImport,
): Promise<RecordReport> {
  const order = { file, compiler: 'any' } as const
  const isWhole = isComplete || lastName(from) === 'all.zip'
  const ecosystem = isWhole ? ecosystemOf(from, await commonEcosystems(order)) : null
  const reading = await openRecords(order)
  return closing(reading, async () => {
    const extent = isWhole ? 'whole' : 'part'
    const place = { label: lastName(from), address: from, ecosystem, extent } as const
    const whole = isWhole ? { watermark: null, contentHash: null } : {}
    return importRecords(session, { ...common, ...place, ...whole, reading })
  })
}

/** The one ecosystem that all sampled records name; the folder of the file decides between several. null: none is common. */
function ecosystemOf(from: string, common: readonly string[]): string | null {
  const names = common.filter(isEcosystemName)
  const folder = decodeURIComponent(from.split('/').at(-2) ?? '')
  return names.find((name) => name === folder) ?? names[0] ?? null
}

function lastName(from: string): string {
  const url = URL.parse(from)
  return basename(url === null ? from : url.pathname)
}

async function closing<T>(reading: RecordReading, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } finally {
    await reading.close()
  }
}
