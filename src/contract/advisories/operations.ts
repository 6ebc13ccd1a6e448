import { Type } from 'typebox'
import {
  AdvisoryContent,
  advisoryLinkKinds,
  draftStates,
  AdvisoryBeginning,
  AdvisoryDetail,
  AdvisoryList,
  AdvisoryPreview,
  AdvisoryProducts,
  AdvisorySettings,
  Weakness,
} from './shapes.ts'
import { answer, nothing, operation } from '../operation.ts'
import { time } from '../schema.ts'

const advisories = '/workspaces/:slug/advisories'
const advisory = `${advisories}/:advisory` as const
const draft = `${advisory}/draft` as const
const settings = '/workspaces/:slug/advisory-settings'
const revision = Type.Integer({ minimum: 1 })
/** 400 product versions, each with a status for each of 100 vulnerabilities, take half of it. */
const bodyBytes = 8 * 1024 * 1024
const kind = Type.Optional(Type.Enum(['update', 'correction'] as const))

/** Those with a draft or a version, the newest first. */
export const listAdvisories = operation({
  method: 'GET',
  path: advisories,
  permission: 'any_member',
  query: { cursor: 'text', vulnerability: 'text' },
  answer: answer(AdvisoryList),
})

export const getAdvisory = operation({
  method: 'GET',
  path: advisory,
  permission: 'any_member',
  answer: answer(AdvisoryDetail),
})

/** Families and versions that an advisory can be about. */
export const listAdvisoryProducts = operation({
  method: 'GET',
  path: '/workspaces/:slug/advisory-products',
  permission: 'any_member',
  answer: answer(AdvisoryProducts),
})

/** The weaknesses that a document can name, by their numbers. */
export const listWeaknesses = operation({
  method: 'GET',
  path: '/workspaces/:slug/weaknesses',
  permission: 'any_member',
  answer: answer(Type.Object({ weaknesses: Type.Array(Weakness) })),
})

/** What is known of a vulnerability: product versions with the verdicts in force, exploitation, references. Stores nothing. */
export const prefillAdvisory = operation({
  method: 'GET',
  path: '/workspaces/:slug/advisory-prefill/:vulnerability',
  permission: 'draft_advisories',
  textParameters: ['vulnerability'],
  answer: answer(Type.Object({ content: AdvisoryContent })),
})

/** As `prefillAdvisory` with what is known of an incident, and the credit that reporters agreed to. Stores nothing. */
export const prefillAdvisoryFromIncident = operation({
  method: 'GET',
  path: '/workspaces/:slug/incidents/:incident/advisory-prefill',
  permission: 'draft_advisories',
  answer: answer(AdvisoryBeginning),
})

export const createAdvisory = operation({
  method: 'POST',
  path: advisories,
  permission: 'draft_advisories',
  body: Type.Object({
    content: AdvisoryContent,
    links: Type.Optional(
      Type.Array(
        Type.Object({
          kind: Type.Enum(advisoryLinkKinds),
          objectId: Type.String({ format: 'uuid' }),
        }),
        { maxItems: 20 },
      ),
    ),
  }),
  bodyBytes,
  answer: answer(Type.Object({ id: Type.String(), trackingId: Type.String() }), 201),
})

/** `revision`: the one that the writer has seen; any other is refused. */
export const saveAdvisoryDraft = operation({
  method: 'PATCH',
  path: draft,
  permission: 'draft_advisories',
  body: Type.Object({ revision, content: AdvisoryContent }),
  bodyBytes,
  answer: answer(Type.Object({ revision: Type.Number() })),
})

/** Begins a draft on top of what is published. */
export const beginAdvisoryDraft = operation({
  method: 'POST',
  path: draft,
  permission: 'draft_advisories',
  answer: answer(Type.Object({ revision: Type.Number() }), 201),
})

/** An advisory without a published version is removed with its draft. */
export const deleteAdvisoryDraft = operation({
  method: 'DELETE',
  path: draft,
  permission: 'draft_advisories',
  query: { revision: 'number' },
  answer: nothing,
})

/** Approving needs the permission to publish. */
export const setAdvisoryDraftState = operation({
  method: 'POST',
  path: `${draft}/state`,
  permission: ({ state }) => (state === 'approved' ? 'publish_advisories' : 'draft_advisories'),
  permissionAmong: ['publish_advisories', 'draft_advisories'],
  body: Type.Object({ revision, state: Type.Enum(draftStates) }),
  answer: nothing,
})

export const changeAdvisoryTrackingId = operation({
  method: 'POST',
  path: `${advisory}/tracking-id`,
  permission: 'draft_advisories',
  body: Type.Object({ trackingId: Type.String() }),
  answer: nothing,
})

/** The document and page as they would be published now, and what prevents it. Stores nothing. */
export const previewAdvisory = operation({
  method: 'POST',
  path: `${advisory}/preview`,
  permission: 'draft_advisories',
  body: Type.Object({ content: AdvisoryContent, kind, summary: Type.Optional(Type.String()) }),
  bodyBytes,
  worksReadOnly: true,
  answer: answer(AdvisoryPreview),
})

/** `kind` is required when something is published already. */
export const publishAdvisory = operation({
  method: 'POST',
  path: `${advisory}/publish`,
  permission: 'publish_advisories',
  body: Type.Object({ revision, kind, summary: Type.String() }),
  answer: answer(Type.Object({ number: Type.String(), releasedAt: time, sha256: Type.String() })),
})

/** Publishes a correction of every advisory whose document names another publisher than the workspace is now. */
export const correctOutdatedAdvisories = operation({
  method: 'POST',
  path: `${advisories}/corrections`,
  permission: 'publish_advisories',
  body: Type.Object({ summary: Type.String() }),
  answer: answer(Type.Object({ corrected: Type.Number(), withDraft: Type.Number() })),
})

/** The document of a version, whatever its TLP, as it was published. */
export const downloadAdvisoryVersion = operation({
  method: 'GET',
  path: `${advisory}/versions/:number`,
  permission: 'any_member',
  textParameters: ['number'],
  answer: 'file',
})

export const getAdvisorySettings = operation({
  method: 'GET',
  path: settings,
  permission: 'any_member',
  answer: answer(AdvisorySettings),
})

export const changeAdvisorySettings = operation({
  method: 'PATCH',
  path: settings,
  permission: 'publish_advisories',
  body: Type.Object({
    trackingPrefix: Type.Optional(Type.String()),
    secondPersonPublishes: Type.Optional(Type.Boolean()),
    generalNote: Type.Optional(Type.String()),
    legalNote: Type.Optional(Type.String()),
  }),
  answer: nothing,
})
