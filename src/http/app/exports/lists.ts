import * as contract from '../../../contract/export-operations.ts'
import { nameOfSbom } from '../../../sbom/select-sbom.ts'
import { allComponents } from '../../../inventory/components/list-components.ts'
import { allUses } from '../../../inventory/components/search-components.ts'
import { allFindings } from '../../../findings/reads/all-findings.ts'
import { allIncidents } from '../../../incidents/reads/list-incidents.ts'
import { allVulnerabilities } from '../../../vulnerabilities/list-vulnerabilities.ts'
import { askedDependencies } from '../sboms/dependency-graph.ts'
import { routesOf } from '../routing/handle.ts'
import {
  componentColumns,
  componentUseColumns,
  findingColumns,
  incidentColumns,
  vulnerabilityColumns,
} from '../../../views/lists/list-columns.ts'
import { listDownload } from './list-download.ts'
import { basisIn, basisInSbom, dataInSbom, dataInUse } from '../../../views/lists/basis.ts'

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
