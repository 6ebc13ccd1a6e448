import { OwnedBytes } from '../../../parser/owned-bytes.ts'
import { selectGraph, type SbomGraph } from '../../../sbom/dependencies/select-graph.ts'
import { nameOfSbom, selectOriginal } from '../../../sbom/select-sbom.ts'
import type { AskedDependencies } from '../../../findings/reads/direct-dependencies.ts'
import type { HttpDeps } from '../../deps.ts'

type AskedFindings = AskedGraph & { query: { through?: number | undefined } }
type AskedGraph = {
  workspaceId: string
  params: { sbom: string }
  deps: Pick<HttpDeps, 'db' | 'graphs' | 'originals' | 'parser'>
}

/**
 * The dependencies of an SBOM. For one that an earlier release stored, the parser child reads them from its file once, which costs in
 * proportion to its size.
 */
export async function graphOf({ workspaceId, params, deps }: AskedGraph): Promise<SbomGraph> {
  const key = { workspaceId, sbomId: params.sbom }
  const known = await selectGraph(deps, key)
  if (known !== null) return known
  const { raw, encoding } = await selectOriginal(deps, workspaceId, params.sbom)
  await deps.parser.run({
    kind: 'read_dependencies',
    workspaceId,
    upload: { ...key, encoding },
    body: new OwnedBytes(Uint8Array.from(raw).buffer),
  })
  const read = await selectGraph(deps, key)
  if (read === null) throw new Error('the dependencies of a stored SBOM were read and not kept')
  return read
}

/** What selecting findings needs: the dependencies are read only where the filter names a component. Codes: `not_found`. */
export async function filteringDependencies(asked: AskedFindings): Promise<AskedDependencies | undefined> {
  if (asked.query.through !== undefined) return askedDependencies(asked)
  await nameOfSbom(asked.deps.db, asked.workspaceId, asked.params.sbom)
  return undefined
}

/**
 * What a list of findings needs of the dependencies. For an SBOM that an earlier release stored they are read only for the filter: until then no
 * finding says what it comes in through. Codes: `not_found`.
 */
export async function askedDependencies(asked: AskedFindings): Promise<AskedDependencies> {
  const { through } = asked.query
  const key = { workspaceId: asked.workspaceId, sbomId: asked.params.sbom }
  return { through, graph: await (through === undefined ? selectGraph(asked.deps, key) : graphOf(asked)) }
}
