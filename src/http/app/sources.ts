import type { WorkspaceCoverage } from '../../contract/inventory.ts'
import * as contract from '../../contract/operations/sources.ts'
import { listSources } from '../../vulndata/sources.ts'
import type { HttpDeps } from '../deps.ts'
import { routesOf } from './handle.ts'

const labels: Record<string, string> = {
  osv: 'OSV',
  kev: 'CISA KEV',
  eukev: 'EU KEV (ENISA)',
  euvd: 'EUVD dump (ENISA)',
  'euvd-scores': 'EUVD severities (ENISA)',
  euvdMapping: 'EUVD to CVE mapping (ENISA)',
  epss: 'EPSS (FIRST)',
  nvd: 'NVD',
  'nvd-overrides': 'NVD overrides',
  vulnrichment: 'CISA vulnrichment',
}

/** Words for people. */
function labelOf(name: string): string {
  return labels[name] ?? name.replace(/^osv:/, 'OSV: ')
}

const catalogueNames = ['kev', 'eukev', 'euvd']

/** What a page must know before it says that nothing was found. */
export async function describeData(
  deps: Pick<HttpDeps, 'db' | 'switchedOff'>,
): Promise<WorkspaceCoverage['data']> {
  const loaded = (await listSources(deps.db)).filter(({ lastSuccessAt }) => lastSuccessAt !== null)
  return {
    records: loaded.some(({ name }) => name.startsWith('osv:') || name === 'nvd'),
    catalogues: loaded.some(({ name }) => catalogueNames.includes(name)),
    switchedOff: deps.switchedOff.map(labelOf),
  }
}

/** Public data, how old it is, and what is switched off. */
export const sourceRoutes = routesOf(contract, {
  listSources: async ({ deps }) => {
    const sources = await listSources(deps.db)
    return {
      sources: sources.map((source) => ({
        name: source.name,
        label: labelOf(source.name),
        records: source.recordCount,
        isWhole: source.isWhole,
        lastSuccessAt: source.lastSuccessAt?.toISOString() ?? null,
        lastAttemptAt: source.lastAttemptAt?.toISOString() ?? null,
        lastError: source.lastError ?? source.reconcile?.lastError ?? null,
      })),
      switchedOff: deps.switchedOff.map(labelOf),
    }
  },
})
