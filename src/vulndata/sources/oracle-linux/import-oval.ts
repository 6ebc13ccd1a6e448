import type { ImportReport } from '../../reading/record-import.ts'
import { importByHand } from '../../reading/import-advisories.ts'
import type { FileWork } from '../source.ts'
import { readOval } from '../../../records/oracle-linux/read-oval.ts'

/** A file by hand may be that of a release or of a year: a part, unless the operator says otherwise. */
export async function importOval(source: string, work: FileWork): Promise<ImportReport[]> {
  return importByHand(work, source, readOval(work.path))
}
