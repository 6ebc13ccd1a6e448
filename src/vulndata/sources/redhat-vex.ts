import { compilerGeneration, compileVex } from '../../records/redhat-vex/compile-vex.ts'
import { isRedHatVex, vexPrefix } from '../../records/redhat-vex/read-vex.ts'
import { basename } from 'node:path'
import type { CompiledRecord } from '../../records/compiled-record.ts'
import { redHatRecordId } from '../../records/red-hat-word.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import type { Source } from './source.ts'

/**
 * What Red Hat says of a CVE for its own packages, also of those that it does not fix (https://security.access.redhat.com/data/csaf/v2/vex/). It is
 * shown and never applied.
 */
export const redHatVex: Source = {
  id: 'redhat-vex',
  label: 'Red Hat VEX',
  forms: 'the archive csaf_vex_….tar.zst, a tar or zip file, a folder, one file',
  brings: 'more',
  feed: { variable: 'REDHAT_VEX_URL', address: 'https://security.access.redhat.com/data/csaf/v2/vex' },
  records: {
    is: isRedHatVex,
    compile: (value, _, name) => ofItsName(compileVex(value, name), name),
    prefixes: [vexPrefix],
  },
  refresh: async (turn) => (await import('./redhat-vex/refresh-vex.ts')).refreshVex(turn),
  isAwaited: async (db) => (await import('./redhat-vex/refresh-vex.ts')).isVexAwaited(db),
  readAgain: async (db) => (await import('./redhat-vex/refresh-vex.ts')).readVexAgain(db),
  readerGeneration: compilerGeneration,
}

/** One that speaks of another CVE than its name would take that one's place. */
function ofItsName(record: CompiledRecord, name: string): CompiledRecord {
  const [, cve] = /^(cve-\d{4}-\d{4,19})\.json$/i.exec(basename(name)) ?? []
  if (cve !== undefined && redHatRecordId(cve.toUpperCase()) !== record.id)
    throw new RefusedData(`${name}: expected ${cve.toUpperCase()}, found another CVE`)
  return record
}
