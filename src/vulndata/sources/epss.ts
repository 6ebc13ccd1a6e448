import { oneFile } from '../one-file/one-file.ts'
import { isEpssHeader } from './epss/header.ts'
import { hourMs } from '../../contract/durations.ts'

/** How likely a CVE is exploited within 30 days (https://www.first.org/epss). */
export const epss = oneFile({
  id: 'epss',
  label: 'EPSS (FIRST)',
  brings: 'more',
  feed: {
    variable: 'EPSS_URL',
    address: 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz',
    // once a day, for all CVEs at once
    everyMs: 20 * hourMs,
  },
  begins: ({ line }) => isEpssHeader(line),
  takeOver: async (tx, taking) => (await import('./epss/store-scores.ts')).takeOverScores(tx, taking),
})
