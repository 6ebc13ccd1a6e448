import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ComponentRow, FindingIds, FindingPage, Page, SbomDetail } from '../../contract/app.ts'
import type { SbomComparison } from '../../contract/inventory.ts'
import { catalogues, grades } from '../../contract/finding.ts'
import { severities } from '../../contract/sbom.ts'
import { verdictFilters } from '../../contract/verdict.ts'
import { componentSorts, listComponents } from '../../views/components/list-components.ts'
import { compareSboms } from '../../views/findings/compare-sboms.ts'
import { selectCoverage } from '../../views/coverage/coverage.ts'
import { selectLeftToDistribution } from '../../views/findings/left-to-distribution.ts'
import {
  countFindingsOfSbom,
  findingSorts,
  listFindings,
  selectFindingIds,
} from '../../views/findings/select-findings.ts'
import { activateSbom, retrySbom } from '../../sbom/activate-sbom.ts'
import { refuseUnknownSbom, selectOriginal, selectSbom } from '../../sbom/select-sbom.ts'
import type { HttpDeps } from '../deps.ts'
import { read, write, type AppOperation } from './app-operation.ts'
import { idParameter, member, memberWho, queryValue, queryWord } from './member.ts'

async function getSbom(deps: HttpDeps, request: FastifyRequest): Promise<SbomDetail> {
  const { workspaceId } = await member(deps, request)
  const sbomId = idParameter(request, 'sbom')
  const sbom = await selectSbom(deps.db, workspaceId, sbomId)
  const { grades: byGrade, ...findings } = await countFindingsOfSbom(deps.db, { workspaceId, sbomId })
  return {
    ...sbom,
    coverage: await selectCoverage(deps.db, { workspaceId, sbomId }),
    leftToDistribution: await selectLeftToDistribution(deps.db, { workspaceId, sbomId }),
    findings,
    grades: byGrade,
  }
}

async function getComponents(deps: HttpDeps, request: FastifyRequest): Promise<Page<ComponentRow>> {
  const { workspaceId } = await member(deps, request)
  return listComponents(deps.db, {
    workspaceId,
    sbomId: idParameter(request, 'sbom'),
    search: queryValue(request, 'search'),
    sort: queryWord(request, 'sort', componentSorts) ?? 'name',
    cursor: queryValue(request, 'cursor'),
  })
}

async function getFindings(deps: HttpDeps, request: FastifyRequest): Promise<FindingPage> {
  const query = await askedFindings(deps, request)
  return listFindings(deps.db, {
    ...query,
    sort: queryWord(request, 'sort', findingSorts) ?? 'urgency',
    cursor: queryValue(request, 'cursor'),
  })
}

async function getFindingIds(deps: HttpDeps, request: FastifyRequest): Promise<FindingIds> {
  return selectFindingIds(deps.db, await askedFindings(deps, request))
}

/** Codes: those of `member`, `not_found`, `invalid_request`. */
async function askedFindings(deps: HttpDeps, request: FastifyRequest) {
  const { workspaceId } = await member(deps, request)
  const sbomId = idParameter(request, 'sbom')
  await refuseUnknownSbom(deps.db, workspaceId, sbomId)
  return {
    workspaceId,
    sbomId,
    search: queryValue(request, 'search'),
    severity: queryWord(request, 'severity', severities),
    exploited: queryWord(request, 'exploited', [...catalogues, 'any']),
    grade: queryWord(request, 'grade', grades),
    verdict: queryWord(request, 'verdict', verdictFilters),
  }
}

/** From the other SBOM to the one in the address. */
async function getComparison(deps: HttpDeps, request: FastifyRequest): Promise<SbomComparison> {
  const { workspaceId } = await member(deps, request)
  const [after, before] = [idParameter(request, 'sbom'), idParameter(request, 'other')]
  return compareSboms(deps.db, { workspaceId, before, after })
}

/** The file as it was sent, decompressed, never shown by the browser itself. */
async function download(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { workspaceId } = await member(deps, request)
  const sbomId = idParameter(request, 'sbom')
  const { raw, encoding, format } = await selectOriginal(deps.db, workspaceId, sbomId)
  const extension = format === 'cyclonedx' ? 'cdx.json' : 'spdx.json'
  void reply
    .header('Content-Type', 'application/json')
    .header('Content-Disposition', `attachment; filename="${sbomId}.${extension}"`)
    .header('Content-Security-Policy', 'sandbox')
  const bytes = Readable.from([raw])
  return reply.send(encoding === 'gzip' ? bytes.pipe(createGunzip()) : bytes)
}

function sbomAct(name: string, act: typeof activateSbom): AppOperation {
  return write('POST', `${sbom}/${name}`, async (deps, request, reply) => {
    const { workspaceId, actor, now } = await memberWho(deps, request, 'upload')
    await act(deps.db, { workspaceId, sbomId: idParameter(request, 'sbom'), actor, now })
    return reply.code(204).send()
  })
}

const sbom = '/workspaces/:slug/sboms/:sbom'

/** The SBOM page. */
export const sbomOperations: readonly AppOperation[] = [
  read(sbom, getSbom),
  read(`${sbom}/components`, getComponents),
  read(`${sbom}/findings`, getFindings),
  read(`${sbom}/finding-ids`, getFindingIds),
  read(`${sbom}/compare/:other`, getComparison),
  read(`${sbom}/download`, download),
  sbomAct('activate', activateSbom),
  sbomAct('rematch', retrySbom),
]
