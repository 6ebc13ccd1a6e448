import * as contract from '../../../contract/operations/exports.ts'
import { nameOfSbom } from '../../../sbom/select-sbom.ts'
import { listComponents } from '../../../views/components/list-components.ts'
import { searchComponents } from '../../../views/components/search-components.ts'
import { listFindings } from '../../../views/findings/list-findings.ts'
import { listIncidents } from '../../../views/incidents/list-incidents.ts'
import { routesOf } from '../routing/handle.ts'
import { componentColumns, componentUseColumns, findingColumns, incidentColumns } from './list-columns.ts'
import { listDownload } from './list-download.ts'

/** The lists of findings, components and incidents as files. */
export const exportRoutes = routesOf(contract, {
  exportFindings: async ({ params, query, ...member }) => {
    const { workspaceId, deps } = member
    const name = await nameOfSbom(deps.db, workspaceId, params.sbom)
    const { format: _format, ...filters } = query
    return listDownload(member, {
      ...{ name: 'findings', action: 'findings.exported', query, columns: findingColumns },
      object: { kind: 'sbom', id: params.sbom, name },
      read: (cursor) => listFindings(deps.db, { ...filters, workspaceId, sbomId: params.sbom, cursor }),
    })
  },

  exportComponents: async ({ params, query, ...member }) => {
    const { workspaceId, deps } = member
    const { search, sort = 'name' } = query
    const name = await nameOfSbom(deps.db, workspaceId, params.sbom)
    return listDownload(member, {
      ...{ name: 'components', action: 'components.exported', query, columns: componentColumns },
      object: { kind: 'sbom', id: params.sbom, name },
      read: (cursor) => listComponents(deps.db, { workspaceId, sbomId: params.sbom, search, sort, cursor }),
    })
  },

  exportComponentUses: ({ query, ...member }) => {
    const { workspaceId, deps } = member
    const { search, hash } = query
    return listDownload(member, {
      ...{ name: 'components', action: 'components.exported', query, columns: componentUseColumns },
      read: (cursor) => searchComponents(deps.db, { workspaceId, search, hash, cursor }),
    })
  },

  exportIncidents: ({ query, ...member }) => {
    const { workspaceId, role, actor, now, deps } = member
    const { status = 'open', format: _format, ...filters } = query
    const asking = { workspaceId, role, personId: actor.id ?? '' }
    return listDownload(member, {
      ...{ name: 'incidents', action: 'incidents.exported', query, columns: incidentColumns },
      read: (cursor) => listIncidents(deps.db, asking, { status, ...filters, cursor, now }),
    })
  },
})
