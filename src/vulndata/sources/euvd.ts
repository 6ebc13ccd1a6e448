import { exploitedList } from '../catalogues/exploited-list.ts'
import { listOf } from '../../source-files/fields.ts'
import { isEuvdDumpEntry, readEuvdDump } from './euvd/dump.ts'

/** The dump of known exploited vulnerabilities of the European vulnerability database (https://euvd.enisa.europa.eu). */
export const euvd = exploitedList({
  id: 'euvd',
  label: 'EUVD dump (ENISA)',
  catalogue: 'euvd',
  feed: { variable: 'EUVD_URL', address: 'https://euvdservices.enisa.europa.eu/api/kev/dump' },
  holds: (value) => isEuvdDumpEntry(listOf(value)[0]),
  read: (value) => readEuvdDump(listOf(value)),
  besides: async (work) => (await import('./euvd/import-scores.ts')).importDumpScores(work),
})
