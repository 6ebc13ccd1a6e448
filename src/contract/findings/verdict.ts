import { Type, type Static } from 'typebox'
import { anyUploadSources } from '../sbom/shapes.ts'
import { justifications, verdicts, vexFormats } from '../vex/shapes.ts'
import { time, nullable } from '../schema.ts'

/**
 * Which findings a list shows by their effective verdict: `open` (the default) are those not declared not affected or
 * fixed, `undecided` those without a verdict.
 */
export const verdictFilters = ['open', 'all', 'undecided', ...verdicts] as const
export type VerdictFilter = (typeof verdictFilters)[number]

/** Whose word the effective verdict is: a member's decision, or a statement of a document that was sent. */
export const verdictSources = ['decision', 'document'] as const
export type VerdictSource = (typeof verdictSources)[number]

/** What becomes of a decision: replaced by a later one on the same, revoked by a member, or over by its own date. */
export const decisionStates = ['in_force', 'replaced', 'revoked', 'expired'] as const
export type DecisionState = (typeof decisionStates)[number]

/** Limits of a decision; characters are Unicode code points. */
export const decisionLimits = { findings: 5000, commentCharacters: 4000 } as const

const nullableId = nullable(Type.String({ format: 'uuid' }))
const verdict = Type.Enum(verdicts)
const justification = nullable(Type.Enum(justifications))

/** The verdict in force on a finding (docs/decisions/0010). */
export const EffectiveVerdict = Type.Object({
  verdict,
  justification,
  source: Type.Enum(verdictSources),
  decisionId: nullableId,
  documentId: nullableId,
  statement: nullable(Type.Integer(), {
    description: 'Number of the statement in its document.',
  }),
  since: Type.String({
    format: 'date-time',
    description: 'When the member decided, or when the document arrived.',
  }),
})
export type EffectiveVerdict = Static<typeof EffectiveVerdict>

/** What a member decided about a finding, as its history keeps it. */
export const Decision = Type.Object({
  id: Type.String({ format: 'uuid' }),
  verdict,
  justification,
  comment: Type.String(),
  everyVersion: Type.Boolean({
    description: 'It applies to every version of the family, including later ones.',
  }),
  version: nullable(Type.String(), {
    description: 'The product version it was recorded on; null: SBOMs without a version.',
  }),
  decidedBy: Type.String(),
  decidedAt: time,
  expiresAt: nullable(time),
  state: Type.Enum(decisionStates),
  endedAt: nullable(time),
  endedBy: nullable(Type.String(), { description: 'Who revoked or replaced it.' }),
  batch: nullable(
    Type.Object({ id: Type.String({ format: 'uuid' }), inForce: Type.Integer({ minimum: 0 }) }),
    { description: 'The act it was recorded in, and how many decisions of that act are still in force.' },
  ),
})
export type Decision = Static<typeof Decision>

/** A statement of a document in force that binds to the finding, whether or not it decides. */
export const BoundStatement = Type.Object({
  documentId: Type.String({ format: 'uuid' }),
  number: Type.Integer(),
  format: Type.Enum(vexFormats),
  author: nullable(Type.String()),
  source: Type.Enum(anyUploadSources),
  sbomId: nullable(Type.String({ format: 'uuid' }), {
    description: 'The SBOM that contains the document; null when it was sent separately.',
  }),
  everyVersion: Type.Boolean(),
  wholeProduct: Type.Boolean({ description: 'It is about the product, not the component.' }),
  verdict,
  justification,
  rawStatus: nullable(Type.String()),
  rawJustification: nullable(Type.String()),
  impact: nullable(Type.String()),
  action: nullable(Type.String()),
  responses: Type.Array(Type.String()),
  statedAt: nullable(time),
  receivedAt: time,
  decides: Type.Boolean({ description: 'This one determines the verdict in force.' }),
})
export type BoundStatement = Static<typeof BoundStatement>

/** Why a finding opens no incident by itself; the first that holds. */
export const incidentObstacles = {
  not_listed: 'No catalogue of exploited vulnerabilities lists it directly.',
  not_exact: 'The match is only possible, not exact.',
  not_active: 'The component is in no active SBOM.',
  archived: 'The product family is archived.',
  declared: 'An uploaded document declares the product not affected or fixed.',
} as const
export type IncidentObstacle = keyof typeof incidentObstacles

/** Whether a finding opens an incident by itself, and what speaks against it. */
export const IncidentOpening = Type.Object({
  opens: Type.Boolean(),
  obstacle: nullable(Type.Enum(Object.keys(incidentObstacles) as [IncidentObstacle, ...IncidentObstacle[]])),
})
export type IncidentOpening = Static<typeof IncidentOpening>

/**
 * `POST /api/app/workspaces/{slug}/decisions`: the same word on one or many findings. `not_affected` requires a justification or a
 * comment, as OpenVEX does. A decision holds for the package of the finding's component whatever the component's version.
 */
export const NewDecision = Type.Object({
  findingIds: Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: decisionLimits.findings }),
  verdict,
  justification: Type.Optional(justification),
  comment: Type.Optional(Type.String({ maxLength: 20_000 })),
  everyVersion: Type.Boolean(),
  expiresAt: Type.Optional(nullable(time)),
})
export type NewDecision = Static<typeof NewDecision>

/** What became of a `NewDecision`: how many decisions were made, and the act by which they are taken back together. */
export const RecordedDecisions = Type.Object({ decided: Type.Number(), batch: Type.String() })
export type RecordedDecisions = Static<typeof RecordedDecisions>

/** How many decisions of an act were taken back. */
export const TakenBack = Type.Object({ revoked: Type.Number() })
export type TakenBack = Static<typeof TakenBack>
