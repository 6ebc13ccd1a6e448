import { dayMs } from '../../contract/durations.ts'
import { isCveRecord } from '../../cve-records/read-envelope.ts'
import { fieldOf } from '../../source-files/fields.ts'
import type { Source } from './source.ts'
import {
  compileCveRecord,
  compilerGeneration,
  vulnrichmentPrefix,
} from '../../cve-records/vulnrichment/compile-cve-record.ts'
import { readCveRecord } from '../../cve-records/vulnrichment/read-cve-record.ts'

const label = 'CISA vulnrichment'

/** CVE records as CISA completes them (https://github.com/cisagov/vulnrichment). NVD has the better ranges, and the CVE list the same. */
export const vulnrichment: Source = {
  id: 'vulnrichment',
  label,
  brings: 'more',
  feed: {
    variable: 'VULNRICHMENT_URL',
    address: 'https://codeload.github.com/cisagov/vulnrichment/zip/refs/heads/develop',
    everyMs: dayMs,
  },
  records: {
    is: isCveRecord,
    compile: (value, _, name) => compileCveRecord(value, name),
    isBeside: isSchema,
    prefixes: [vulnrichmentPrefix],
    leavesOutEmpty: true,
    yieldsTo: ['nvd', 'nvd-overrides', 'cve-list'],
    scorer: { name: label, nameIn: scorerIn },
  },
  refresh: async (turn) => (await import('./vulnrichment/refresh-vulnrichment.ts')).refreshVulnrichment(turn),
  isAwaited: async (db) => (await import('./vulnrichment/refresh-vulnrichment.ts')).isVulnrichmentAwaited(db),
  readAgain: async (db) => (await import('./vulnrichment/refresh-vulnrichment.ts')).readVulnrichmentAgain(db),
  readerGeneration: compilerGeneration,
}

/** The repository has some beside its records. */
function isSchema(value: unknown): boolean {
  return typeof fieldOf(value, '$schema') === 'string' && typeof fieldOf(value, '$id') === 'string'
}

function scorerIn(document: unknown, recordId: string): string {
  const scoredBy = readCveRecord(document, recordId).score?.scoredBy ?? null
  return scoredBy === null || scoredBy === 'CISA-ADP' ? label : `${scoredBy} (CNA), in ${label}`
}
