import type { Regime } from '../../contract/alerts/events.ts'
import { looksEmpty } from '../../contract/hidden-characters.ts'
import { doraFactIds } from '../../contract/incidents/dora-facts.ts'
import { isMemberState } from '../../contract/incidents/member-states.ts'
import {
  draftLimits,
  type DraftInput,
  type DraftStageField,
  type DraftValue,
  type DraftValues,
} from '../../contract/incidents/report-drafts.ts'
import type { DraftFacts } from './draft-facts.ts'
import {
  attackVector,
  componentNames,
  productNames,
  productVersions,
  severityText,
  summary,
  userHelp,
  userRemedy,
  vulnerabilityText,
} from './facts-in-words.ts'
import { productFields } from './kept/products-in-report.ts'
import { utcSecond } from './utc-second.ts'
import { fieldsOf, type DraftStage } from '../../report-forms/forms.ts'
import { cutText, joinItems } from '../../report-forms/fit-text.ts'

/**
 * The draft that a person starts with: what is known, and what was written at the previous stage. A copied field keeps what was written; in any
 * other the facts come first, because they are newer. No value exceeds the field's limit. Empty fields are left out.
 */
export function prefillDraft(facts: DraftFacts, draft: DraftStage, previous: DraftValues = {}): DraftValues {
  const entries = fieldsOf(draft).flatMap((field) => {
    const value = prefilled(field, { facts, draft, previous })
    return value === undefined || value.length === 0 ? [] : [[field.id, value] as const]
  })
  return Object.fromEntries(entries)
}

type Known = { facts: DraftFacts; draft: DraftStage; previous: DraftValues }

function prefilled({ id, input, requirement }: DraftStageField, known: Known): DraftValue | undefined {
  const written = fitted(input, known.previous[id])
  const limit = limitOf(input)
  const fact = fitted(input, sources[known.draft.regime][id]?.(known.facts, limit, known.draft))
  const [first, second] = requirement === 'copied' ? [written, fact] : [fact, written]
  return first === undefined || first.length === 0 ? second : first
}

/** A value as the field accepts it; undefined where it does not fit, or nothing would be seen of it. */
function fitted(input: DraftInput, value: DraftValue | Date | null | undefined) {
  if (value === null || value === undefined) return undefined
  if (input.kind === 'list')
    return typeof value === 'object' && 'length' in value
      ? [...new Set(value.filter(isMemberState))].slice(0, draftLimits.listItems)
      : undefined
  if (value instanceof Date) return utcSecond(value)
  if (typeof value !== 'string') return undefined
  const text = cutText(value, limitOf(input))
  return looksEmpty(text) ? undefined : text
}

function limitOf(input: DraftInput): number {
  return (input.kind === 'text' ? input.maxCharacters : null) ?? draftLimits.textCharacters
}

/** What the facts say of a field with a limit. */
type Source = (
  facts: DraftFacts,
  maxCharacters: number,
  draft: DraftStage,
) => DraftValue | Date | null | undefined

const type: Source = (_facts, _limit, { kind }) => (kind === 'vulnerability' ? 'vulnerability' : 'incident')
const happened: Source = (facts) => facts.description ?? summary(facts)

const kept = (field: Exclude<keyof typeof productFields, '5'>): Source => {
  return (facts) => productFields[field](facts.kept)
}

const company = Object.fromEntries(
  doraFactIds.map((id): [string, Source] => [id, (facts) => facts.company[id]]),
)

const sources: Record<Regime, Readonly<Record<string, Source>>> = {
  cra: {
    '1': type,
    '2': ({ title }) => title,
    '3': summary,
    '4': ({ manufacturer }) => manufacturer,
    '5': ({ memberStates, kept }) => (memberStates.length > 0 ? memberStates : productFields['5'](kept)),
    '6': productNames,
    '7': productVersions,
    '8': kept('8'),
    '9': kept('9'),
    '10': kept('10'),
    '11': kept('11'),
    '12': componentNames,
    '14': userHelp,
    '16': ({ measures }) => measures,
    '17': userRemedy,
    '18': attackVector,
    v19: ({ cveIds }, limit) => joinItems(cveIds, limit),
    v20: ({ euvdIds }, limit) => joinItems(euvdIds, limit),
    v21: vulnerabilityText,
    v22: ({ measureAvailableAt }) => measureAvailableAt,
    v23: ({ measures }) => measures,
    v24: severityText,
    v26: ({ awareAt }) => awareAt,
    v26a: ({ occurredAt }) => occurredAt,
    i32: ({ description }) => description,
    i33: ({ measures }) => measures,
    i37: ({ awareAt }) => awareAt,
    i38: ({ occurredAt }) => occurredAt,
  },
  digitalsikkerhetsloven: {
    measures: ({ measures }) => measures,
    contact: ({ contact }) => contact,
  },
  gdpr: {
    nature: ({ description }) => description,
    contact: ({ contact }) => contact,
    measures: ({ measures }) => measures,
    aware_at: ({ awareAt }) => awareAt,
  },
  dora: {
    report_type: (_facts, _limit, { stage }) => stage,
    ...company,
    entity_name: ({ company: { entity_name: name }, manufacturer }) => name ?? manufacturer,
    reference: ({ reference }) => reference,
    aware_at: ({ awareAt }) => awareAt,
    classified_at: ({ classifiedAt }) => classifiedAt,
    description: happened,
    member_states: ({ memberStates }) => memberStates,
    occurred_at: ({ occurredAt }) => occurredAt,
    temporary_measures: ({ measures }) => measures,
    resolution: ({ measures }) => measures,
  },
}
