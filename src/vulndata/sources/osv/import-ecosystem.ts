import type { Db } from '../../../database/connection.ts'
import type { OnProgress } from '../../documents/progress.ts'
import { RefusedData } from '../../documents/refused-data.ts'
import type { RecordReading, RecordReport } from '../../records/record-import.ts'
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
  /** Where reading it has begun. */
  begun?: Promise<WholeFile> | undefined
  now: Date
  onProgress: OnProgress
  onRead?: () => void
}

/** The whole file of an ecosystem, open; close its reading. */
export type WholeFile = { reading: RecordReading; watermark: Date | null }

type Opening = Pick<WholeImport, 'ecosystem' | 'index' | 'onProgress'>

/** The watermark for deltas is read before the file, so that nothing falls between the two. */
export async function openWhole(
  { tools, mirror }: Pick<MirrorImport, 'tools' | 'mirror'>,
  { ecosystem, onProgress, ...given }: Opening,
): Promise<WholeFile> {
  const index = given.index ?? (await mirror.fetchIndex(ecosystem))
  const watermark = index === undefined ? null : await newestModified(index)
  const file = await mirror.fetchWhole(ecosystem, onProgress)
  if (file === undefined) throw new RefusedData(`the source has no ecosystem "${ecosystem}"`)
  return { reading: await tools.openRecords({ file, compiler: 'osv' }), watermark }
}

/**
 * Takes over the whole of one ecosystem of a mirror: records that its file lacks are withdrawn.
 */
export async function importEcosystem(
  { session, tools, mirror }: MirrorImport,
  { begun, ...order }: WholeImport,
): Promise<RecordReport> {
  const { reading, watermark } = await (begun ?? openWhole({ tools, mirror }, order))
  try {
    const place = { label: order.ecosystem, address: mirror.address, extent: 'whole' } as const
    return await tools.importRecords(session, { ...order, ...place, reading, watermark })
  } finally {
    await reading.close()
  }
}
