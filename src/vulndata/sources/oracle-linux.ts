import { hourMs } from '../../contract/durations.ts'
import { compileAdvisory, compilerGeneration } from '../../records/rpm-advisories/compile-advisory.ts'
import type { Source } from './source.ts'

const id = 'oracle-linux'

/** Notices on the packages of Oracle Linux 5 to 10, as OVAL definitions (https://linux.oracle.com/security/). */
export const oracleLinux: Source = {
  id,
  label: 'Oracle Linux (ELSA)',
  forms: 'OVAL, also bzip2',
  brings: 'records',
  decides: ['Oracle Linux'],
  feed: {
    variable: 'ORACLE_LINUX_URL',
    address: 'https://linux.oracle.com/security/oval/com.oracle.elsa-all.xml.bz2',
    everyMs: 6 * hourMs,
  },
  file: {
    // no other source has files of bzip2
    begins: ({ text }) =>
      /^BZh[1-9]1AY&SY/.test(text) ||
      (/<oval_definitions[\s>]/.test(text) && /Oracle Errata System|oval:com\.oracle\.elsa:/.test(text)),
    import: async (work) => (await import('./oracle-linux/import-oval.ts')).importOval(id, work),
  },
  records: {
    // they come in files of many, never alone
    is: () => false,
    compile: (value, document, name) => compileAdvisory(value, { document, name, source: id }),
  },
  refresh: async (turn) => (await import('./oracle-linux/refresh-oracle-linux.ts')).refreshOracleLinux(turn),
  isAwaited: async (db) => (await import('./oracle-linux/refresh-oracle-linux.ts')).isOracleLinuxAwaited(db),
  readAgain: async (db) => (await import('./oracle-linux/refresh-oracle-linux.ts')).readOracleLinuxAgain(db),
  readerGeneration: compilerGeneration,
}
