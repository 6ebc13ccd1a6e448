import type { WorkspaceCoverage } from '../../contract/inventory/shapes.ts'
import * as contract from '../../contract/sources/operations.ts'
import { listWorkspaceSources } from '../../vulndata/reads/workspace-sources.ts'
import { isLoaded, labelOfSource, listSources } from '../../vulndata/source-states.ts'
import type { HttpDeps } from '../deps.ts'
import { routesOf } from './routing/handle.ts'

/** What a page must know before it may say that nothing was found. */
export async function describeData(
  deps: Pick<HttpDeps, 'db' | 'switchedOff'>,
): Promise<WorkspaceCoverage['data']> {
  const loaded = (await listSources(deps.db)).filter(({ lastSuccessAt }) => lastSuccessAt !== null)
  return {
    records: isLoaded(loaded, 'records'),
    catalogues: isLoaded(loaded, 'exploited'),
    switchedOff: deps.switchedOff.map(labelOfSource),
  }
}

/** Public data, how old it is, and what is switched off. */
export const sourceRoutes = routesOf(contract, {
  listSources: async ({ workspaceId, deps: { db, switchedOff } }) => ({
    sources: await listWorkspaceSources(db, { workspaceId, switchedOff }),
    switchedOff: switchedOff.map(labelOfSource),
  }),
})
