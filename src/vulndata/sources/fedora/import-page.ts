import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument, readBounded } from '../../../source-files/documents.ts'
import { inFolder } from '../../reading/in-folder.ts'
import type { ImportReport } from '../../reading/record-import.ts'
import type { FileWork } from '../source.ts'
import { linesOf, readPage } from '../../../records/fedora/read-update.ts'

/** Takes over the updates of one answer of Bodhi, which are a part of what it has, unless the operator says that they are all. */
export async function importPage(work: FileWork): Promise<ImportReport[]> {
  const { db, tools, path, from, isComplete, now, onProgress, waiting } = work
  const { value } = parseDocument({ name: 'the page', bytes: await readBounded(path) })
  return inFolder(async (folder) => {
    const lines = join(folder, 'updates.ndjson')
    await writeFile(lines, linesOf(readPage(value, 'the page'), 'the page'))
    const reading = await tools.openRecords({ file: { kind: 'lines', path: lines }, compiler: 'fedora' })
    try {
      const extent = isComplete ? 'whole' : 'part'
      const place = { label: 'a page of updates', address: from, ecosystem: null, extent } as const
      return [(await tools.importRecords(db, { ...place, reading, waiting, now, onProgress })).report]
    } finally {
      await reading.close()
    }
  })
}
