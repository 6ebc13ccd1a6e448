import { basename } from 'node:path'
import type { DocumentFile } from '../source-files/documents.ts'
import { commonEcosystems } from './reading/open-here.ts'
import { isReadBeside } from './reading/open-records.ts'
import { prepareReadingThread } from './reading/reading-threads.ts'
import { isEcosystemName } from '../records/ecosystem-source.ts'
import type { ImportReport } from './reading/record-import.ts'
import type { Work } from './sources/source.ts'

/**
 * Takes over records of any source from a file or folder. A file called `all.zip` is the whole of an ecosystem, or of all ecosystems, like
 * the public ones, and so is what the operator declares complete: records it lacks are withdrawn. Any other set of records is a part,
 * which adds to what is there.
 */
export async function importDocuments(work: Work, file: DocumentFile): Promise<ImportReport[]> {
  if (await isReadBeside(file)) await prepareReadingThread()
  const { db, from, isComplete, now, onProgress, tools, waiting } = work
  const recordFile = { file, compiler: 'any' } as const
  const isWhole = isComplete || lastName(from) === 'all.zip'
  const ecosystem = isWhole ? ecosystemOf(from, await commonEcosystems(recordFile)) : null
  const reading = await tools.openRecords(recordFile)
  try {
    const extent = isWhole ? 'whole' : 'part'
    const place = { label: lastName(from), address: from, ecosystem, extent } as const
    const whole = isWhole ? { watermark: null, contentHash: null } : {}
    const taken = await tools.importRecords(db, { now, onProgress, waiting, ...place, ...whole, reading })
    return [taken.report]
  } finally {
    await reading.close()
  }
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
