import { cpeEcosystem } from '../../records/cpe/vulnerable-match.ts'
import { fieldOf } from '../../source-files/fields.ts'
import { compileCve, compilerGeneration, idPrefixes } from '../../records/nvd/compile-cve.ts'
import { scoresPrefix, yearPrefix } from './nvd/side-rows.ts'
import type { Source } from './source.ts'

/** The National Vulnerability Database (https://nvd.nist.gov/vuln/data-feeds): CVEs with the products they affect, named by CPE. */
export const nvd: Source = {
  id: 'nvd',
  label: 'NVD',
  brings: 'records',
  decides: [cpeEcosystem],
  feed: { variable: 'NVD_URL', address: 'https://nvd.nist.gov/feeds/json/cve/2.0' },
  sideRows: [yearPrefix, scoresPrefix],
  file: {
    // the envelope before the entries says
    begins: ({ text }) => /^\{[^[\]{}]{0,2000}"format"\s{0,9}:\s{0,9}"NVD_CVE"/.test(text),
    holds: (value) => fieldOf(value, 'format') === 'NVD_CVE',
    import: async (work) => (await import('./nvd/import-nvd.ts')).importFeed(work),
  },
  records: {
    // entries come in feed files, never alone
    is: () => false,
    compile: (value, _, name) => compileCve(value, name),
    prefixes: [idPrefixes.nvd],
    scorer: { name: 'NVD' },
  },
  refresh: async (turn) => (await import('./nvd/refresh-nvd.ts')).refreshNvd(turn),
  isAwaited: async (db) => (await import('./nvd/refresh-nvd.ts')).isNvdAwaited(db),
  readAgain: async (db) => (await import('./nvd/refresh-nvd.ts')).readNvdAgain(db),
  readerGeneration: compilerGeneration,
}
