import type { FastifyRequest } from 'fastify'
import type { SourceRow } from '../../contract/app.ts'
import { listSources } from '../../vulndata/sources.ts'
import type { HttpDeps } from '../deps.ts'
import { read, type AppOperation } from './app-operation.ts'
import { member } from './member.ts'

const labels: Record<string, string> = {
  osv: 'OSV',
  kev: 'CISA KEV',
  eukev: 'EU KEV (ENISA)',
  euvd: 'EUVD dump (ENISA)',
  euvdMapping: 'EUVD to CVE mapping (ENISA)',
  epss: 'EPSS (FIRST)',
  nvd: 'NVD',
  'nvd-overrides': 'NVD overrides',
  vulnrichment: 'CISA vulnrichment',
}

/** The same for every workspace: public data, and how old it is. */
async function getSources(deps: HttpDeps, request: FastifyRequest): Promise<{ sources: SourceRow[] }> {
  await member(deps, request)
  const sources = await listSources(deps.db)
  return {
    sources: sources.map((source) => ({
      name: source.name,
      label: labels[source.name] ?? source.name.replace(/^osv:/, 'OSV: '),
      records: source.recordCount,
      isWhole: source.isWhole,
      lastSuccessAt: source.lastSuccessAt?.toISOString() ?? null,
      lastAttemptAt: source.lastAttemptAt?.toISOString() ?? null,
      lastError: source.lastError ?? source.reconcile?.lastError ?? null,
    })),
  }
}

export const sourceOperations: readonly AppOperation[] = [read('/workspaces/:slug/sources', getSources)]
