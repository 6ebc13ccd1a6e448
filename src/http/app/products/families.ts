import { badgeMessage } from '../../../contract/metrics/badge.ts'
import * as contract from '../../../contract/products/operations.ts'
import { listSboms } from '../../../sbom/list-sboms.ts'
import { selectFamilyHistory } from '../../../metrics/reads/family-history.ts'
import {
  archiveFamily,
  deleteFamily,
  renameFamily,
  restoreFamily,
} from '../../../products/families/change-family.ts'
import { selectBadgeFacts } from '../../../views/badge-facts.ts'
import { createFamily } from '../../../products/families/create-family.ts'
import { selectBadgeSecret, switchBadgeOff, switchBadgeOn } from '../../../products/families/family-badge.ts'
import { changeProductFacts } from '../../../products/families/facts/change-product-facts.ts'
import { selectProductFacts } from '../../../products/families/facts/product-facts.ts'
import { selectFamily, selectFamilyNames } from '../../../products/families/select-families.ts'
import { restoreVersion, retireVersion, setCurrentVersion } from '../../../products/versions.ts'
import { badgeRoot } from '../../disclose/register-badges.ts'
import { describeFamily, listFamilies } from '../../../views/family-overview.ts'
import { routesOf, type Asked } from '../routing/handle.ts'

type FamilyAct = Pick<Asked<typeof contract.archiveFamily>, 'workspaceId' | 'actor' | 'now' | 'params'>
type VersionAct = Asked<typeof contract.retireVersion>

const familyAct = ({ workspaceId, actor, now, params }: FamilyAct) => {
  return { workspaceId, familyId: params.family, actor, now }
}

const versionAct = ({ workspaceId, actor, now, params }: VersionAct) => {
  return { workspaceId, familyId: params.family, versionId: params.version, actor, now }
}

/** Product families and their versions. */
export const familyRoutes = routesOf(contract, {
  listFamilies: ({ workspaceId, query, deps }) =>
    listFamilies(deps.db, {
      workspaceId,
      archived: query.archived === 'true',
      search: query.search,
      sort: query.sort ?? 'name',
      cursor: query.cursor,
    }),

  listFamilyNames: async ({ workspaceId, deps }) => {
    const families = await selectFamilyNames(deps.db, workspaceId)
    return {
      families: families.map(({ lastUploadAt, ...family }) => ({
        ...family,
        lastUploadAt: lastUploadAt?.toISOString() ?? null,
      })),
    }
  },

  createFamily: ({ workspaceId, actor, now, body, deps }) =>
    createFamily(deps.db, { workspaceId, name: body.name, actor, now }),

  getFamily: ({ workspaceId, params, deps }) => describeFamily(deps.db, workspaceId, params.family),

  renameFamily: (asked) => renameFamily(asked.deps.db, { ...familyAct(asked), name: asked.body.name }),

  deleteFamily: (asked) =>
    deleteFamily(asked.deps.db, { ...familyAct(asked), confirmName: asked.body.confirmName }),

  archiveFamily: (asked) => archiveFamily(asked.deps.db, familyAct(asked)),
  restoreFamily: (asked) => restoreFamily(asked.deps.db, familyAct(asked)),

  listFamilySboms: async ({ workspaceId, params, query, deps }) => {
    const { id: familyId } = await selectFamily(deps.db, workspaceId, params.family)
    return listSboms(deps.db, { workspaceId, familyId, cursor: query.cursor })
  },

  getFamilyHistory: async ({ workspaceId, workspace, params, deps }) => {
    const { id: familyId } = await selectFamily(deps.db, workspaceId, params.family)
    const of = { workspaceId, familyId, timeZone: workspace.time_zone }
    return { days: await selectFamilyHistory(deps.db, of) }
  },

  getFamilyBadge: async ({ workspaceId, workspace, params, now, deps }) => {
    const { id: familyId } = await selectFamily(deps.db, workspaceId, params.family)
    const key = { workspaceId, familyId }
    const secret = await selectBadgeSecret(deps.db, key)
    return {
      ...badgeMessage(await selectBadgeFacts(deps.db, { ...workspace, ...key }, now)),
      url: secret === undefined ? null : `${deps.baseUrl}${badgeRoot}${secret}.svg`,
    }
  },

  getProductFacts: async ({ workspaceId, params, deps }) => {
    const { id: familyId } = await selectFamily(deps.db, workspaceId, params.family)
    return selectProductFacts(deps.db, { workspaceId, familyId })
  },

  changeProductFacts: (asked) => changeProductFacts(asked.deps.db, familyAct(asked), asked.body),

  switchBadgeOn: (asked) => switchBadgeOn(asked.deps.db, familyAct(asked)),
  switchBadgeOff: (asked) => switchBadgeOff(asked.deps.db, familyAct(asked)),

  retireVersion: (asked) => retireVersion(asked.deps.db, versionAct(asked)),
  restoreVersion: (asked) => restoreVersion(asked.deps.db, versionAct(asked)),
  makeVersionCurrent: (asked) => setCurrentVersion(asked.deps.db, versionAct(asked)),
})
