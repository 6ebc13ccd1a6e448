import * as contract from '../../../contract/advisories/operations.ts'
import type { AdvisoryContent } from '../../../contract/advisories/shapes.ts'
import type { Tx } from '../../../database/connection.ts'
import { isAllowed } from '../../../contract/roles.ts'
import { createAdvisory } from '../../../advisories/drafts/create-advisory.ts'
import {
  beginDraft,
  changeTrackingId,
  deleteDraft,
  saveDraft,
  setDraftState,
} from '../../../advisories/drafts/change-draft.ts'
import {
  describeAdvisory,
  selectProducts,
  selectVersionFile,
} from '../../../advisories/reads/describe-advisory.ts'
import { listAdvisories } from '../../../advisories/drafts/list-advisories.ts'
import { changeAdvisorySettings, selectAdvisorySettings } from '../../../advisories/drafts/settings.ts'
import { listWeaknesses } from '../../../advisories/document/weaknesses.ts'
import { correctOutdated } from '../../../advisories/publish/outdated.ts'
import { publishDraft } from '../../../advisories/publish/publish.ts'
import { beginFromIncident } from '../../../disclosure/reads/begin-advisory.ts'
import { prefillAdvisory } from '../../../advisories/reads/prefill-advisory.ts'
import { refuseWithdrawnCredits } from '../../../disclosure/reads/withdrawn-credits.ts'
import type { HttpDeps } from '../../deps.ts'
import { previewOf } from './preview-advisory.ts'
import { routesOf } from '../routing/handle.ts'
import type { Member } from '../routing/member.ts'

/** Advisories: drafts, what is published of them, and how. */
export const advisoryRoutes = routesOf(contract, {
  listAdvisories: ({ workspaceId, query, deps }) =>
    listAdvisories(deps.db, {
      workspaceId,
      cursor: query.cursor,
      vulnerability: query.vulnerability,
      baseUrl: deps.baseUrl,
    }),

  getAdvisory: ({ workspaceId, role, params, actor, deps }) =>
    describeAdvisory(deps.db, {
      workspaceId,
      advisoryId: params.advisory,
      personId: actor.id,
      seesInbox: isAllowed(role, 'see_inbox'),
      slug: params.slug,
      baseUrl: deps.baseUrl,
    }),

  listAdvisoryProducts: async ({ workspaceId, deps }) => ({
    families: await selectProducts(deps.db, workspaceId),
  }),

  listWeaknesses: () => Promise.resolve({ weaknesses: listWeaknesses() }),

  prefillAdvisory: async ({ workspaceId, params, deps }) => ({
    content: await prefillAdvisory(deps.db, workspaceId, params.vulnerability),
  }),

  prefillAdvisoryFromIncident: ({ workspaceId, params, deps: { db, sealing } }) =>
    beginFromIncident(db, { workspaceId, incidentId: params.incident, sealing }),

  createAdvisory: ({ workspaceId, actor, body, deps }) =>
    createAdvisory(deps.db, {
      workspaceId,
      content: body.content,
      links: body.links ?? [],
      actor,
      clock: deps.now,
    }),

  saveAdvisoryDraft: ({ params, body, ...asked }) =>
    saveDraft(asked.deps.db, actOn(asked, params.advisory), body),

  beginAdvisoryDraft: ({ params, ...asked }) => beginDraft(asked.deps.db, actOn(asked, params.advisory)),

  deleteAdvisoryDraft: ({ params, query, ...asked }) =>
    deleteDraft(asked.deps.db, actOn(asked, params.advisory), { revision: query.revision ?? 0 }),

  setAdvisoryDraftState: ({ params, body, ...asked }) =>
    setDraftState(asked.deps.db, actOn(asked, params.advisory), body),

  changeAdvisoryTrackingId: ({ params, body, ...asked }) =>
    changeTrackingId(asked.deps.db, actOn(asked, params.advisory), body.trackingId.trim()),

  previewAdvisory: ({ workspaceId, params, body, now, deps }) =>
    previewOf(deps, { workspaceId, advisoryId: params.advisory, now, ...body }),

  publishAdvisory: async ({ params, body, ...asked }) => {
    const { db, baseUrl, serviceName, sealing } = asked.deps
    const { workspaceId } = asked
    const credited = { workspaceId, advisoryId: params.advisory, sealing }
    const publishing = {
      revision: body.revision,
      kind: body.kind,
      summary: body.summary,
      refuse: (tx: Tx, content: AdvisoryContent) => refuseWithdrawnCredits(tx, credited, content),
      baseUrl,
      serviceName,
    }
    const { releasedAt, ...published } = await publishDraft(db, actOn(asked, params.advisory), publishing)
    return { ...published, releasedAt: releasedAt.toISOString() }
  },

  correctOutdatedAdvisories: ({ workspaceId, actor, body, deps }) => {
    const { now: clock, baseUrl, serviceName } = deps
    return correctOutdated(deps.db, {
      workspaceId,
      actor,
      clock,
      summary: body.summary,
      baseUrl,
      serviceName,
    })
  },

  downloadAdvisoryVersion: async ({ workspaceId, params, deps }) => {
    const { advisory: advisoryId, number } = params
    const { fileName, bytes } = await selectVersionFile(deps.db, { workspaceId, advisoryId, number })
    return { fileName, content: bytes.toString() }
  },

  getAdvisorySettings: ({ workspaceId, deps }) => selectAdvisorySettings(deps.db, workspaceId),

  changeAdvisorySettings: ({ workspaceId, actor, body, deps }) =>
    changeAdvisorySettings(deps.db, { workspaceId, actor, clock: deps.now }, body),
})

function actOn({ workspaceId, actor, deps }: Member & { deps: HttpDeps }, advisoryId: string) {
  return { workspaceId, advisoryId, actor, clock: deps.now }
}
