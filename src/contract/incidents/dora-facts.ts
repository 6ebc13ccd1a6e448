import { knownKeys } from '../known-keys.ts'
import { Type } from 'typebox'

/** What a field of these takes besides text: an LEI (ISO 17442), a currency (ISO 4217), an e-mail address. */
type Form = 'lei' | 'currency' | 'email'

type Fact = { label: string; help: string; isRequired: boolean; form?: Form; maxCharacters: number }

/**
 * What a financial entity says of itself in the reports of every stage: Delegated Regulation (EU) 2025/301, Art. 1. It is kept once in the
 * settings, and each draft begins with it. The keys are those of the fields of the form.
 */
export const doraFactFields = {
  entity_name: {
    label: 'Financial entity',
    help: 'The name of the financial entity that is affected.',
    isRequired: true,
    maxCharacters: 255,
  },
  entity_lei: {
    label: 'LEI of the financial entity',
    help: 'Its legal entity identifier: 20 letters and digits.',
    isRequired: true,
    form: 'lei',
    maxCharacters: 20,
  },
  entity_type: {
    label: 'Type of financial entity',
    help: 'As DORA Art. 2(1) names it, such as “credit institution” or “payment institution”.',
    isRequired: true,
    maxCharacters: 255,
  },
  submitter_name: {
    label: 'Entity that files',
    help: 'Where another one files for the financial entity: its name.',
    isRequired: false,
    maxCharacters: 255,
  },
  submitter_code: {
    label: 'Identification code of the entity that files',
    help: 'Where another one files: its LEI or another code that identifies it.',
    isRequired: false,
    maxCharacters: 100,
  },
  covered_entities: {
    label: 'Entities covered by an aggregated report',
    help: 'Where one report covers several financial entities: their names with their LEIs.',
    isRequired: false,
    maxCharacters: 4_000,
  },
  contact_1_name: {
    label: 'First contact person',
    help: 'Who speaks with the authority about the incident.',
    isRequired: true,
    maxCharacters: 255,
  },
  contact_1_email: {
    label: 'E-mail of the first contact person',
    help: 'An address at which the person is reached at any hour.',
    isRequired: true,
    form: 'email',
    maxCharacters: 254,
  },
  contact_1_phone: {
    label: 'Phone of the first contact person',
    help: 'With the code of the country.',
    isRequired: true,
    maxCharacters: 50,
  },
  contact_2_name: {
    label: 'Second contact person',
    help: 'Who speaks with the authority when the first one cannot.',
    isRequired: true,
    maxCharacters: 255,
  },
  contact_2_email: {
    label: 'E-mail of the second contact person',
    help: 'An address at which the person is reached at any hour.',
    isRequired: true,
    form: 'email',
    maxCharacters: 254,
  },
  contact_2_phone: {
    label: 'Phone of the second contact person',
    help: 'With the code of the country.',
    isRequired: true,
    maxCharacters: 50,
  },
  parent_name: {
    label: 'Parent undertaking',
    help: 'Where the entity belongs to a group: the name of its parent undertaking.',
    isRequired: false,
    maxCharacters: 255,
  },
  parent_lei: {
    label: 'LEI of the parent undertaking',
    help: 'Where the entity belongs to a group: 20 letters and digits.',
    isRequired: false,
    form: 'lei',
    maxCharacters: 20,
  },
  reporting_currency: {
    label: 'Reporting currency',
    help: 'The three letters of the currency in which amounts are reported, such as EUR.',
    isRequired: true,
    form: 'currency',
    maxCharacters: 3,
  },
} as const satisfies Record<string, Fact>

export type DoraFactId = keyof typeof doraFactFields
export const doraFactIds = knownKeys(doraFactFields)

/** What is left out is not known. */
export type DoraFacts = Partial<Record<DoraFactId, string>>
export const DoraFacts = Type.Unsafe<DoraFacts>(
  Type.Partial(Type.Record(Type.Enum(doraFactIds), Type.String())),
)

/** In the order of the form. */
export const doraFactList: readonly (Fact & { id: DoraFactId })[] = doraFactIds.map((id) => ({
  id,
  ...doraFactFields[id],
}))
