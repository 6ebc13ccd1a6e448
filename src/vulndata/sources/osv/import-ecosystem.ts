import type { Db } from '../../../database/connection.ts'
import type { OnProgress } from '../../documents/progress.ts'
import { RefusedData } from '../../documents/refused-data.ts'
import type { RecordReport } from '../../records/record-import.ts'
import type { Tools } from '../source.ts'
import type { Mirror } from './mirror.ts'
import { newestModified } from './modified-index.ts'

/** The session holds the import lock `records`. */
export type MirrorImport = { session: Db; tools: Tools; mirror: Mirror }

type WholeImport = {
  ecosystem: string
  contentHash: string | null
  /** The ecosystem's index, where it was fetched just now. */
  index?: string
  now: Date
  onProgress: OnProgress
}

/**
 * Takes over the whole of one ecosystem of a mirror: records that its file lacks are withdrawn. The watermark for deltas is read
 * before the file, so that nothing falls between the two.
 */
export async function importEcosystem(
  { session, tools, mirror }: MirrorImport,
  { ecosystem, contentHash, ...common }: WholeImport,
): Promise<RecordReport> {
  const index = common.index ?? (await mirror.fetchIndex(ecosystem))
  const watermark = index === undefined ? null : await newestModified(index)
  const file = await mirror.fetchWhole(ecosystem, common.onProgress)
  if (file === undefined) throw new RefusedData(`the source has no ecosystem "${ecosystem}"`)
  const reading = await tools.openRecords({ file, compiler: 'osv' })
  try {
    return await tools.importRecords(session, {
      ...common,
      reading,
      label: ecosystem,
      address: mirror.address,
      ecosystem,
      extent: 'whole',
      watermark,
      contentHash,
    })
  } finally {
    await reading.close()
  }
}
