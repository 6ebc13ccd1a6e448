import { compilerGeneration, compileVex } from '../../records/redhat-vex/compile-vex.ts'
import { isRedHatVex, vexPrefix } from '../../records/redhat-vex/read-vex.ts'
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
  records: { is: isRedHatVex, compile: (value, _, name) => compileVex(value, name), prefixes: [vexPrefix] },
  refresh: async (turn) => (await import('./redhat-vex/refresh-vex.ts')).refreshVex(turn),
  isAwaited: async (db) => (await import('./redhat-vex/refresh-vex.ts')).isVexAwaited(db),
  readAgain: async (db) => (await import('./redhat-vex/refresh-vex.ts')).readVexAgain(db),
  readerGeneration: compilerGeneration,
}
