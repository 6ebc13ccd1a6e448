import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportReport } from '../../reading/record-import.ts'
import { importAdvisories } from '../../reading/import-advisories.ts'
import type { FileWork } from '../source.ts'
import { readOval } from '../../../records/oracle-linux/read-oval.ts'

/** A file by hand may be that of a release or of a year: a part, unless the operator says otherwise. */
export async function importOval(source: string, work: FileWork): Promise<ImportReport[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vulnerability-data-'))
  try {
    const extent = work.isComplete ? 'whole' : 'part'
    const advisories = readOval(work.path)
    const { report } = await importAdvisories(work, { source, advisories, extent, folder })
    return [report]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
