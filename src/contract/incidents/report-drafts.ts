import { Type, type Static } from 'typebox'
import { regimes, reportStages } from '../alerts/events.ts'
import { nullable, extended } from '../schema.ts'

/**
 * What a regime asks of a field at a stage.
 *
 * - `copied`: taken over from the previous stage, and editable.
 * - `if_known`: required if it is known.
 * - `if_late`: required when the report is submitted after it was due.
 */
export const draftRequirements = ['required', 'optional', 'copied', 'if_known', 'if_late'] as const
export type DraftRequirement = (typeof draftRequirements)[number]

export const DraftChoice = Type.Object({ value: Type.String(), label: Type.String() })
export type DraftChoice = Static<typeof DraftChoice>

/** What a field takes. Times are ISO 8601 in UTC (`2026-11-02T08:00:00Z`), the list is one of Member States by their codes. */
export const DraftInput = Type.Union([
  Type.Object({ kind: Type.Literal('text'), maxCharacters: nullable(Type.Number()) }),
  Type.Object({ kind: Type.Literal('list') }),
  Type.Object({ kind: Type.Literal('date_time') }),
  Type.Object({ kind: Type.Literal('yes_no') }),
  Type.Object({ kind: Type.Literal('choice'), choices: Type.Immutable(Type.Array(DraftChoice)) }),
])
export type DraftInput = Static<typeof DraftInput>

/** One field of an authority's form. */
export const DraftField = Type.Object({
  id: Type.String(),
  /** The authority's own number of it; null: it has none. */
  number: nullable(Type.String()),
  label: Type.String(),
  help: Type.String(),
  input: DraftInput,
})
export type DraftField = Static<typeof DraftField>

/** A field at one stage of a report. */
export const DraftStageField = extended(DraftField, {
  requirement: Type.Enum(draftRequirements),
  /** It is required here, or was at the stage it is copied from. */
  isRequired: Type.Boolean(),
})
export type DraftStageField = Static<typeof DraftStageField>

/** The state of an authority's form that a draft is written for. */
export const DraftForm = Type.Object({
  regime: Type.Enum(regimes),
  stage: Type.Enum(reportStages),
  version: Type.String(),
  /** The day from which the form is in use. */
  validFrom: Type.String(),
  source: Type.String(),
  fields: Type.Array(DraftStageField),
})
export type DraftForm = Static<typeof DraftForm>

/** A yes or no is `yes` or `no`, a choice the `value` of one of its choices. */
export const DraftValue = Type.Union([Type.String(), Type.Immutable(Type.Array(Type.String()))])
export type DraftValue = Static<typeof DraftValue>

/** By the id of the field. What is empty is left out. */
export const DraftValues = Type.Record(Type.String(), DraftValue)
export type DraftValues = Static<typeof DraftValues>

export const draftProblems = [
  'missing',
  'missing_if_known',
  'too_long',
  'not_a_time',
  'not_a_choice',
  'unknown_country',
  'wrong_kind',
] as const
export type DraftProblemKind = (typeof draftProblems)[number]

/** What is missing or wrong in a draft. It is said, and never keeps anyone from filing. */
export const DraftProblem = Type.Object({
  field: Type.String(),
  problem: Type.Enum(draftProblems),
  message: Type.String(),
})
export type DraftProblem = Static<typeof DraftProblem>

/** The maximum that can be saved, whatever an authority's limits: a text that is still too long must not be lost. */
export const draftLimits = { textCharacters: 20_000, listItems: 60, itemCharacters: 100 } as const

/** Who else has a draft open, and which state of it is the newest. */
export const DraftPresence = Type.Object({
  others: Type.Array(Type.Object({ name: Type.String(), isWriting: Type.Boolean() })),
  /** 0: it has not been saved. */
  revision: Type.Number(),
})
export type DraftPresence = Static<typeof DraftPresence>
