import { createWriteStream } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RefusedData } from '../../source-files/refused-data.ts'
import { inFolder } from './in-folder.ts'
import type { Extent, ImportReport, RecordsTaken } from './record-import.ts'
import type { Work } from '../sources/source.ts'
import type { RpmAdvisory } from '../../records/rpm-advisories/advisory.ts'

export type AdvisoryImport = {
  /** The source whose notices they are. */
  source: string
  advisories: AsyncIterable<RpmAdvisory>
  extent: Extent
  /** For the notices between being read and being stored; the caller removes it. */
  folder: string
  /** What its publisher says of the whole, to recognise it unread next time. */
  contentHash?: string
}

/** Takes over notices after all of them have been read: data that is broken anywhere is not written at all (`RefusedData`). */
export async function importAdvisories(
  { db, tools, from, now, onProgress, waiting }: Omit<Work, 'isComplete'>,
  { source, advisories, extent, folder, contentHash }: AdvisoryImport,
): Promise<RecordsTaken> {
  const path = join(folder, `${source}.ndjson`)
  await pipeline(Readable.from(linesOf(source, advisories)), createWriteStream(path))
  const reading = await tools.openRecords({ file: { kind: 'lines', path }, compiler: source })
  try {
    return await tools.importRecords(db, {
      reading,
      label: basename(from),
      address: from,
      ecosystem: null,
      extent,
      ...(extent === 'whole' ? { wholeOf: source } : {}),
      ...(contentHash === undefined ? {} : { contentHash }),
      waiting,
      now,
      onProgress,
    })
  } finally {
    await reading.close()
  }
}

/** Takes over the notices of files that an operator has: they are a part, unless the operator says otherwise. */
export async function importByHand(
  work: Work,
  source: string,
  advisories: AsyncIterable<RpmAdvisory>,
): Promise<ImportReport[]> {
  const extent = work.isComplete ? 'whole' : 'part'
  return inFolder(async (folder) => {
    const { report } = await importAdvisories(work, { source, advisories, extent, folder })
    return [report]
  })
}

/** A notice may come in parts, one for each repository or release; as text, because all of them are in memory. */
async function* linesOf(source: string, advisories: AsyncIterable<RpmAdvisory>): AsyncGenerator<string> {
  const lines = new Map<string, string>()
  for await (const advisory of advisories) {
    const before = lines.get(advisory.id)
    const whole = before === undefined ? advisory : merged(JSON.parse(before) as RpmAdvisory, advisory)
    lines.set(advisory.id, JSON.stringify(whole))
  }
  if (lines.size === 0) throw new RefusedData(`expected advisories of ${source}, found none`)
  for (const line of lines.values()) yield `${line}\n`
}

function merged(one: RpmAdvisory, other: RpmAdvisory): RpmAdvisory {
  const known = new Set(one.platforms.map((platform) => JSON.stringify(platform)))
  return {
    ...one,
    platforms: [...one.platforms, ...other.platforms.filter((each) => !known.has(JSON.stringify(each)))],
    vectors: [...new Set([...one.vectors, ...other.vectors])],
    cves: [...new Set([...one.cves, ...other.cves])].sort(),
  }
}
