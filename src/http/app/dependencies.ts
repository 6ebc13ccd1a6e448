import * as contract from '../../contract/operations/dependencies.ts'
import { OwnedBytes } from '../../parser/owned-bytes.ts'
import { selectGraph, type SbomGraph } from '../../sbom/dependencies/select-graph.ts'
import { selectOriginal } from '../../sbom/select-sbom.ts'
import { describeTree, explainDependency } from '../../views/dependencies/explain-dependency.ts'
import { listDependencies } from '../../views/dependencies/list-dependencies.ts'
import type { HttpDeps } from '../deps.ts'
import { routesOf } from './routing/handle.ts'

type AskedGraph = { workspaceId: string; params: { sbom: string }; deps: Pick<HttpDeps, 'db' | 'parser'> }

/**
 * The dependencies of an SBOM. Of one that an earlier release stored they are read from its file once, which costs in proportion to it and
 * is the parser child's work.
 */
async function graphOf({ workspaceId, params, deps }: AskedGraph): Promise<SbomGraph> {
  const key = { workspaceId, sbomId: params.sbom }
  const known = await selectGraph(deps.db, key)
  if (known !== null) return known
  const { raw, encoding } = await selectOriginal(deps.db, workspaceId, params.sbom)
  await deps.parser.run({
    kind: 'read_dependencies',
    workspaceId,
    upload: { ...key, encoding },
    body: new OwnedBytes(Uint8Array.from(raw).buffer),
  })
  const read = await selectGraph(deps.db, key)
  if (read === null) throw new Error('the dependencies of a stored SBOM were read and not kept')
  return read
}

/** The tab Dependencies of the SBOM page. */
export const dependencyRoutes = routesOf(contract, {
  getDependencies: async (asked) => describeTree(asked.deps.db, asked.workspaceId, await graphOf(asked)),

  listDependencies: async (asked) => {
    const { workspaceId, query, deps } = asked
    return listDependencies(deps.db, await graphOf(asked), { ...query, workspaceId })
  },

  explainDependency: async (asked) => {
    const { workspaceId, query, deps } = asked
    return explainDependency(deps.db, await graphOf(asked), { workspaceId, number: query.component })
  },
})
