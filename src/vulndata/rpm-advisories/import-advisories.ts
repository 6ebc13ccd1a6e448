import { createWriteStream } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RefusedData } from '../documents/refused-data.ts'
import type { RecordsTaken } from '../records/record-import.ts'
import type { Extent } from '../records/record-import.ts'
import type { Work } from '../sources/source.ts'
import type { RpmAdvisory } from './advisory.ts'

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

/** Takes over notices, after all of them were read: nothing is written of data that is broken anywhere (`RefusedData`). */
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

/** A notice that comes in two files is taken from the first. */
async function* linesOf(source: string, advisories: AsyncIterable<RpmAdvisory>): AsyncGenerator<string> {
  const ids = new Set<string>()
  for await (const advisory of advisories) {
    if (ids.has(advisory.id)) continue
    ids.add(advisory.id)
    yield `${JSON.stringify(advisory)}\n`
  }
  if (ids.size === 0) throw new RefusedData(`expected advisories of ${source}, found none`)
}
