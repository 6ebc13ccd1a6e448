import * as contract from '../../../contract/export-operations.ts'
import { coverageTotal } from '../../../contract/sbom/shapes.ts'
import type { Tx } from '../../../database/connection.ts'
import { nameOfSbom } from '../../../sbom/select-sbom.ts'
import { allComponents } from '../../../inventory/components/list-components.ts'
import { allUses } from '../../../inventory/components/search-components.ts'
import { selectCoverage } from '../../../inventory/coverage/coverage.ts'
import type { DataBehind } from '../../../contract/sbom/result.ts'
import { selectDataBehind, selectDataBehindFamilies } from '../../../inventory/coverage/data-behind.ts'
import { selectJudgedSlots, sumJudged } from '../../../inventory/coverage/judged-slots.ts'
import { allFindings } from '../../../findings/reads/all-findings.ts'
import { allIncidents } from '../../../incidents/reads/list-incidents.ts'
import { allVulnerabilities } from '../../../vulnerabilities/list-vulnerabilities.ts'
import { selectFamilyNames } from '../../../products/families/select-families.ts'
import { askedDependencies } from '../sboms/dependency-graph.ts'
import type { HttpDeps } from '../../deps.ts'
import { routesOf } from '../routing/handle.ts'
import type { Member } from '../routing/member.ts'
import {
  componentColumns,
  componentUseColumns,
  findingColumns,
  incidentColumns,
  vulnerabilityColumns,
} from './list-columns.ts'
import { listDownload } from './list-download.ts'
import type { Basis } from './with-coverage.ts'

type Asking = Pick<Member, 'workspaceId' | 'now'> & { deps: Pick<HttpDeps, 'switchedOff'> }

/** Of one SBOM. */
async function basisInSbom(tx: Tx, sbomId: string, asking: Asking): Promise<Required<Basis>> {
  const coverage = await selectCoverage(tx, { workspaceId: asking.workspaceId, sbomId })
  return {
    coverage: { covered: coverage.covered, components: coverageTotal(coverage) },
    data: await dataInSbom(tx, sbomId, asking),
  }
}

function dataInSbom(tx: Tx, sbomId: string, asking: Asking): Promise<DataBehind> {
  return selectDataBehind(tx, { workspaceId: asking.workspaceId, sbomId }, momentOf(asking))
}

/** Of a family, or of all that are in use. */
async function basisIn(tx: Tx, family: string | undefined, asking: Asking): Promise<Required<Basis>> {
  const { workspaceId } = asking
  const familyIds = family === undefined ? await idsInUse(tx, workspaceId) : [family]
  return {
    coverage: sumJudged(await selectJudgedSlots(tx, { workspaceId, familyIds })),
    data: await selectDataBehindFamilies(tx, { workspaceId, familyIds }, momentOf(asking)),
  }
}

async function dataInUse(tx: Tx, asking: Asking): Promise<DataBehind> {
  const { workspaceId } = asking
  const familyIds = await idsInUse(tx, workspaceId)
  return selectDataBehindFamilies(tx, { workspaceId, familyIds }, momentOf(asking))
}

async function idsInUse(tx: Tx, workspaceId: string): Promise<string[]> {
  return (await selectFamilyNames(tx, workspaceId)).map(({ id }) => id)
}

function momentOf({ now, deps: { switchedOff } }: Asking): { switchedOff: readonly string[]; now: Date } {
  return { switchedOff, now }
}

/** The lists of findings, vulnerabilities, components and incidents as files. */
export const exportRoutes = routesOf(contract, {
  exportFindings: async ({ params, query, ...member }) => {
    const { workspaceId, deps } = member
    const dependencies = await askedDependencies({ workspaceId, deps, params, query })
    const name = await nameOfSbom(deps.db, workspaceId, params.sbom)
    const { format: _format, ...filters } = query
    return listDownload(member, {
      basis: (tx) => basisInSbom(tx, params.sbom, member),
      name: 'findings',
      action: 'findings.exported',
      query,
      columns: findingColumns,
      object: { kind: 'sbom', id: params.sbom, name },
      read: (tx) => allFindings(tx, { ...filters, workspaceId, sbomId: params.sbom, dependencies }),
    })
  },

  exportVulnerabilities: ({ query, ...member }) => {
    const { workspaceId } = member
    const { format: _format, family, verdict = 'open', sort = 'urgency', ...filters } = query
    return listDownload(member, {
      basis: (tx) => basisIn(tx, family, member),
      name: 'vulnerabilities',
      action: 'vulnerabilities.exported',
      query,
      columns: vulnerabilityColumns,
      read: (tx) => allVulnerabilities(tx, { ...filters, workspaceId, familyId: family, verdict, sort }),
    })
  },

  exportComponents: async ({ params, query, ...member }) => {
    const { workspaceId, deps } = member
    const { search, scope, sort = 'name' } = query
    const name = await nameOfSbom(deps.db, workspaceId, params.sbom)
    return listDownload(member, {
      basis: async (tx) => ({ data: await dataInSbom(tx, params.sbom, member) }),
      name: 'components',
      action: 'components.exported',
      query,
      columns: componentColumns,
      object: { kind: 'sbom', id: params.sbom, name },
      read: (tx) => allComponents(tx, { workspaceId, sbomId: params.sbom, search, scope, sort }),
    })
  },

  exportComponentUses: ({ query, ...member }) => {
    const { search, hash } = query
    return listDownload(member, {
      basis: async (tx) => ({ data: await dataInUse(tx, member) }),
      name: 'components',
      action: 'components.exported',
      query,
      columns: componentUseColumns,
      read: (tx) => allUses(tx, { workspaceId: member.workspaceId, search, hash }),
    })
  },

  exportIncidents: ({ query, ...member }) => {
    const { workspaceId, role, actor, now } = member
    const { status = 'open', format: _format, ...filters } = query
    const asking = { workspaceId, role, personId: actor.id ?? '' }
    return listDownload(member, {
      basis: async (tx) => ({ data: await dataInUse(tx, member) }),
      name: 'incidents',
      action: 'incidents.exported',
      query,
      columns: incidentColumns,
      read: (tx) => allIncidents(tx, asking, { status, ...filters, now }),
    })
  },
})
