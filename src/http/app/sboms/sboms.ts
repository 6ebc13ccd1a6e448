import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import * as contract from '../../../contract/sbom/operations.ts'
import * as retention from '../../../contract/sbom/retention-operations.ts'
import { activateSbom, retrySbom } from '../../../sbom/activate-sbom.ts'
import { selectFamily } from '../../../products/families/select-families.ts'
import { listRemovedSboms, selectRemovedSbom } from '../../../sbom/retention/list-removed.ts'
import { countSbomRetention } from '../../../sbom/retention/judge-replaced.ts'
import {
  changeSbomRetention,
  readSbomRetention,
  selectSbomRetention,
} from '../../../sbom/retention/setting.ts'
import { selectOriginal, selectSbom } from '../../../sbom/select-sbom.ts'
import { listComponents } from '../../../inventory/components/list-components.ts'
import { selectCoverage } from '../../../inventory/coverage/coverage.ts'
import { compareSboms } from '../../../vulnerabilities/compare-sboms.ts'
import { selectLeftToDistribution } from '../../../findings/reads/left-to-distribution.ts'
import { countFindingsOfSbom } from '../../../findings/reads/count-findings.ts'
import { listFindings, selectFindingIds } from '../../../findings/reads/list-findings.ts'
import { askedDependencies, filteringDependencies } from './dependency-graph.ts'
import { routesOf } from '../routing/handle.ts'

/** The SBOM page. */
export const sbomRoutes = routesOf(contract, {
  getSbom: async ({ workspaceId, params, deps }) => {
    const key = { workspaceId, sbomId: params.sbom }
    const sbom = await selectSbom(deps.db, workspaceId, params.sbom)
    const { grades, ...findings } = await countFindingsOfSbom(deps.db, key)
    return {
      ...sbom,
      coverage: await selectCoverage(deps.db, key),
      leftToDistribution: await selectLeftToDistribution(deps.db, key),
      findings,
      grades,
    }
  },

  listComponents: ({ workspaceId, params, query, deps }) =>
    listComponents(deps.db, {
      workspaceId,
      sbomId: params.sbom,
      search: query.search,
      scope: query.scope,
      sort: query.sort ?? 'name',
      cursor: query.cursor,
    }),

  listFindings: async (asked) => {
    const { workspaceId, params, query, deps } = asked
    const dependencies = await askedDependencies(asked)
    const sort = query.sort ?? 'urgency'
    return listFindings(deps.db, { ...query, workspaceId, sbomId: params.sbom, sort, dependencies })
  },

  listFindingIds: async (asked) => {
    const { workspaceId, params, query, deps } = asked
    const dependencies = await filteringDependencies(asked)
    return selectFindingIds(deps.db, { ...query, workspaceId, sbomId: params.sbom, dependencies })
  },

  compareSboms: ({ workspaceId, params, deps }) =>
    compareSboms(deps.db, { workspaceId, before: params.other, after: params.sbom }),

  /** The file as it was sent, decompressed. */
  downloadSbom: async ({ workspaceId, params, deps }) => {
    const { raw, encoding, format } = await selectOriginal(deps, workspaceId, params.sbom)
    const bytes = Readable.from([raw])
    return {
      fileName: `${params.sbom}.${format === 'cyclonedx' ? 'cdx.json' : 'spdx.json'}`,
      content: encoding === 'gzip' ? bytes.pipe(createGunzip()) : bytes,
    }
  },

  activateSbom: ({ workspaceId, actor, now, params, deps }) =>
    activateSbom(deps.db, { workspaceId, sbomId: params.sbom, actor, now }),

  rematchSbom: ({ workspaceId, actor, now, params, deps }) =>
    retrySbom(deps.db, { workspaceId, sbomId: params.sbom, actor, now }),
})

/** How long a family keeps SBOMs that were replaced, and what is left of those that went. */
export const sbomRetentionRoutes = routesOf(retention, {
  getSbomRetention: async ({ workspaceId, params, deps }) => {
    const { id: familyId } = await selectFamily(deps.db, workspaceId, params.family)
    return selectSbomRetention(deps.db, { workspaceId, familyId })
  },

  changeSbomRetention: ({ workspaceId, actor, now, params, body, deps }) =>
    changeSbomRetention(deps.db, { workspaceId, familyId: params.family, actor, now }, body),

  countSbomRetention: async ({ workspaceId, params, query, now, deps }) => {
    const { id: familyId } = await selectFamily(deps.db, workspaceId, params.family)
    const { keep = 'all', amount = null, cra } = query
    const setting = readSbomRetention({ keep, amount, isCraLifted: cra === 'lifted' })
    return countSbomRetention(deps.db, { workspaceId, familyId, setting, now })
  },

  listRemovedSboms: async ({ workspaceId, params, query, deps }) => {
    const { id: familyId } = await selectFamily(deps.db, workspaceId, params.family)
    return listRemovedSboms(deps.db, { workspaceId, familyId, cursor: query.cursor })
  },

  getRemovedSbom: ({ workspaceId, params, deps }) =>
    selectRemovedSbom(deps.db, { workspaceId, sbomId: params.removed }),
})
