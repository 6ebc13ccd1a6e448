import type { Regime, ReportStage } from '../alerts/events.ts'

/**
 * What a regime asks of a field at a stage.
 *
 * - `copied`: taken over from the previous stage, and editable.
 * - `if_known`: required if it is known.
 * - `if_late`: required when the report is submitted after it was due.
 */
export const draftRequirements = ['required', 'optional', 'copied', 'if_known', 'if_late'] as const
export type DraftRequirement = (typeof draftRequirements)[number]

export type DraftChoice = { value: string; label: string }

/** What a field takes. Times are ISO 8601 in UTC (`2026-11-02T08:00:00Z`), the list is one of Member States by their codes. */
export type DraftInput =
  /** Characters are Unicode code points; null: the authority gives no limit. */
  | { kind: 'text'; maxCharacters: number | null }
  | { kind: 'list' }
  | { kind: 'date_time' }
  | { kind: 'yes_no' }
  | { kind: 'choice'; choices: readonly DraftChoice[] }

/** One field of an authority's form. */
export type DraftField = {
  id: string
  /** The authority's own number of it; null: it has none. */
  number: string | null
  label: string
  help: string
  input: DraftInput
}

/** A field at one stage of a report. */
export type DraftStageField = DraftField & {
  requirement: DraftRequirement
  /** It is required here, or was at the stage it is copied from. */
  isRequired: boolean
}

/** The state of an authority's form that a draft is written for. */
export type DraftForm = {
  regime: Regime
  stage: ReportStage
  version: string
  /** The day from which the form is in use. */
  validFrom: string
  source: string
  fields: DraftStageField[]
}

/** A yes or no is `yes` or `no`, a choice the `value` of one of its choices. */
export type DraftValue = string | readonly string[]
/** By the id of the field. What is empty is left out. */
export type DraftValues = Readonly<Record<string, DraftValue>>

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
export type DraftProblem = { field: string; problem: DraftProblemKind; message: string }

/** What can be saved, whatever an authority's own limits: a text that is still too long must not be lost. */
export const draftLimits = { textCharacters: 20_000, listItems: 60, itemCharacters: 100 } as const

/** Who else has a draft open, and which state of it is the newest. */
export type DraftPresence = {
  others: { name: string; isWriting: boolean }[]
  /** 0: it has not been saved. */
  revision: number
}
