import type { FastifyRequest } from 'fastify'
import type { VulnerabilityPage } from '../../contract/app.ts'
import { catalogues, grades } from '../../contract/finding.ts'
import { severities } from '../../contract/sbom.ts'
import { verdictFilters } from '../../contract/verdict.ts'
import {
  vulnerabilitySorts,
  type ExploitedList,
  type VulnerabilityDetail,
} from '../../contract/vulnerability.ts'
import { describeVulnerability } from '../../views/vulnerabilities/describe-vulnerability.ts'
import { listExploited } from '../../views/vulnerabilities/list-exploited.ts'
import { listVulnerabilities } from '../../views/vulnerabilities/list-vulnerabilities.ts'
import type { HttpDeps } from '../deps.ts'
import { read, type AppOperation } from './app-operation.ts'
import { idQuery, member, parameter, queryValue, queryWord } from './member.ts'

async function getVulnerabilities(deps: HttpDeps, request: FastifyRequest): Promise<VulnerabilityPage> {
  const { workspaceId } = await member(deps, request)
  return listVulnerabilities(deps.db, {
    workspaceId,
    familyId: idQuery(request, 'family'),
    search: queryValue(request, 'search'),
    severity: queryWord(request, 'severity', severities),
    exploited: queryWord(request, 'exploited', [...catalogues, 'any']),
    grade: queryWord(request, 'grade', grades),
    verdict: queryWord(request, 'verdict', verdictFilters) ?? 'open',
    sort: queryWord(request, 'sort', vulnerabilitySorts) ?? 'urgency',
    cursor: queryValue(request, 'cursor'),
  })
}

/** Codes: those of `member`, `not_found` when no record knows the id. */
async function getVulnerability(deps: HttpDeps, request: FastifyRequest): Promise<VulnerabilityDetail> {
  const { workspaceId } = await member(deps, request)
  return describeVulnerability(deps.db, workspaceId, parameter(request, 'vulnerability'))
}

async function getExploited(deps: HttpDeps, request: FastifyRequest): Promise<ExploitedList> {
  const { workspaceId } = await member(deps, request)
  return listExploited(deps.db, workspaceId)
}

/** What affects the workspace, whichever product has it. */
export const vulnerabilityOperations: readonly AppOperation[] = [
  read('/workspaces/:slug/vulnerabilities', getVulnerabilities),
  read('/workspaces/:slug/exploited', getExploited),
  read('/workspaces/:slug/vulnerabilities/:vulnerability', getVulnerability),
]
