import type { Regime, ReportStage } from '../contract/alerts/events.ts'
import type {
  DraftChoice,
  DraftField,
  DraftInput,
  DraftRequirement,
} from '../contract/incidents/report-drafts.ts'
import { incidentKinds, type IncidentKind } from '../contract/incidents/words.ts'

export type CatalogueField = DraftField & {
  /** The kinds of incidents that have it. */
  kinds: readonly IncidentKind[]
  /** At the stages that have it. */
  at: Partial<Record<ReportStage, DraftRequirement>>
}

/** The fields of a regime's reports. A changed form is a new catalogue, because a draft is kept with the version it was written for. */
export type FieldCatalogue = {
  regime: Regime
  version: string
  validFrom: string
  source: string
  stages: readonly ReportStage[]
  fields: readonly CatalogueField[]
}

export const anyKind: readonly IncidentKind[] = incidentKinds

/** R required, O optional, C copied from the previous stage, A required if known, L required when late, – not at this stage. */
const letters: Readonly<Record<string, DraftRequirement | null>> = {
  R: 'required',
  O: 'optional',
  C: 'copied',
  A: 'if_known',
  L: 'if_late',
  '–': null,
}

/** Reads the requirements of one row, a letter for each stage: `'R C C'`. */
export function atStages(stages: readonly ReportStage[]) {
  return (row: string): Partial<Record<ReportStage, DraftRequirement>> => {
    const columns = row.split(' ')
    if (columns.length !== stages.length) throw new Error(`"${row}" has not ${stages.length} columns.`)
    const pairs = stages.map((stage, index) => [stage, requirementOf(columns[index] ?? '')] as const)
    return Object.fromEntries(pairs.filter(([, requirement]) => requirement !== null))
  }
}

function requirementOf(letter: string): DraftRequirement | null {
  const requirement = letters[letter]
  if (requirement === undefined) throw new Error(`${letter} is no requirement.`)
  return requirement
}

export const text = (maxCharacters: number | null = null): DraftInput => ({ kind: 'text', maxCharacters })
export const list: DraftInput = { kind: 'list' }
export const dateTime: DraftInput = { kind: 'date_time' }
export const yesNo: DraftInput = { kind: 'yes_no' }
export const oneOf = (choices: readonly DraftChoice[]): DraftInput => ({ kind: 'choice', choices })
