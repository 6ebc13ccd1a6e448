import type { Db } from '../../../database/connection.ts'
import type { OnProgress } from '../../../source-files/progress.ts'
import { RefusedData } from '../../../source-files/refused-data.ts'
import type { Waiting } from '../../ledger/import-lock.ts'
import type { RecordReading, RecordsTaken } from '../../reading/record-import.ts'
import type { Tools } from '../source.ts'
import type { Mirror } from './mirror.ts'
import { newestModified } from './modified-index.ts'

export type MirrorImport = { db: Db; tools: Tools; mirror: Mirror; waiting: Waiting }

/** The mirror answers that it does not have the ecosystem. */
export class NoSuchEcosystem extends RefusedData {
  override name = 'NoSuchEcosystem'
}

type WholeImport = {
  ecosystem: string
  contentHash: string | null
  /** The ecosystem's index, where it was fetched just now. */
  index?: string
  /** Where reading it has begun. */
  begun?: Promise<WholeFile> | undefined
  /** When it had last been taken over before; undefined: whatever was taken over meanwhile is replaced. */
  fetchedAfter?: Date | null
  now: Date
  onProgress: OnProgress
  onRead?: () => void
}

/** The whole file of an ecosystem, open; close its reading. */
export type WholeFile = { reading: RecordReading; watermark: Date | null }

type Opening = Pick<WholeImport, 'ecosystem' | 'index' | 'now' | 'onProgress'>

/** The watermark for deltas is read before the file, so that nothing falls between the two. */
export async function openWhole(
  { tools, mirror }: Pick<MirrorImport, 'tools' | 'mirror'>,
  { ecosystem, now, onProgress, ...given }: Opening,
): Promise<WholeFile> {
  const index = given.index ?? (await mirror.fetchIndex(ecosystem))
  const watermark = index === undefined ? null : await newestModified(index, now)
  const file = await mirror.fetchWhole(ecosystem, onProgress)
  if (file === undefined) throw new NoSuchEcosystem(`the source has no ecosystem "${ecosystem}"`)
  return { reading: await tools.openRecords({ file, compiler: 'osv' }), watermark }
}

/**
 * Takes over the whole of one ecosystem of a mirror: records that its file lacks are withdrawn.
 */
export async function importEcosystem(
  { db, tools, mirror, waiting }: MirrorImport,
  { begun, ...importing }: WholeImport,
): Promise<RecordsTaken> {
  const { reading, watermark } = await (begun ?? openWhole({ tools, mirror }, importing))
  try {
    const place = { label: importing.ecosystem, address: mirror.address, extent: 'whole' } as const
    return await tools.importRecords(db, { ...importing, ...place, reading, watermark, waiting })
  } finally {
    await reading.close()
  }
}
