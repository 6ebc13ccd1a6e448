import { listField, listOf } from '../../source-files/fields.ts'
import { compileScore, euvdPrefixes, euvdScores as id, isEuvdRecord } from './euvd/compile-score.ts'
import type { Source } from './source.ts'

/** The severities that records of the European vulnerability database, and entries of its dump, state. */
export const euvdScores: Source = {
  id,
  label: 'EUVD severities (ENISA)',
  brings: 'more',
  file: {
    holds: (value) => isEuvdRecord(listOf(value)[0]) || isEuvdRecord(listField(value, 'items')[0]),
    import: async (work) => (await import('./euvd/import-scores.ts')).importScores(work),
  },
  records: {
    is: isEuvdRecord,
    compile: (value) => compileScore(value),
    prefixes: [euvdPrefixes.record, euvdPrefixes.dump],
    leavesOutEmpty: true,
    scorer: { name: 'EUVD (ENISA)' },
  },
}
