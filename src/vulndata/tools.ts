import { importRecords } from './import-records.ts'
import { openRecords } from './reading/open-records.ts'
import { recogniseFile } from './recognise.ts'
import type { Tools } from './sources/source.ts'
import { selectUnscoredCves } from './store/unscored-cves.ts'

/** What sources receive as an argument: they cannot import it, because it knows all of them. */
export const tools: Tools = {
  importRecords,
  openRecords,
  recognise: async (path) => {
    const found = await recogniseFile(path)
    return 'source' in found ? found.source : found.kind
  },
  selectUnscoredCves,
}
