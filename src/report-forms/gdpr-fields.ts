import { anyKind, atStages, dateTime, text, type CatalogueField } from './catalogue.ts'

export const gdprStages = ['notification'] as const
const at = atStages(gdprStages)

type Row = Omit<CatalogueField, 'number' | 'kinds'>

/** What Art. 33(3) GDPR asks for; “where possible” is required if known. */
const rows: readonly Row[] = [
  {
    id: 'nature',
    label: 'Nature of the breach',
    help: 'What happened to the personal data: seen, changed, lost or made unavailable, and how (Art. 33(3)(a)).',
    input: text(),
    at: at('R'),
  },
  {
    id: 'person_categories',
    label: 'Categories of persons',
    help: 'Whose data are concerned, such as customers or employees (Art. 33(3)(a)).',
    input: text(),
    at: at('A'),
  },
  {
    id: 'person_count',
    label: 'Approximate number of persons',
    help: 'How many persons are concerned; an estimate is enough (Art. 33(3)(a)).',
    input: text(),
    at: at('A'),
  },
  {
    id: 'record_categories',
    label: 'Categories of records',
    help: 'Which kinds of personal data records are concerned, such as contact details (Art. 33(3)(a)).',
    input: text(),
    at: at('A'),
  },
  {
    id: 'record_count',
    label: 'Approximate number of records',
    help: 'How many records are concerned; an estimate is enough (Art. 33(3)(a)).',
    input: text(),
    at: at('A'),
  },
  {
    id: 'contact',
    label: 'Contact',
    help: 'Name and contact details of the data protection officer or another contact point (Art. 33(3)(b)).',
    input: text(),
    at: at('R'),
  },
  {
    id: 'consequences',
    label: 'Likely consequences',
    help: 'What the breach is likely to mean for the persons concerned (Art. 33(3)(c)).',
    input: text(),
    at: at('R'),
  },
  {
    id: 'measures',
    label: 'Measures',
    help: 'What you have done or propose to do about the breach and its effects (Art. 33(3)(d)).',
    input: text(),
    at: at('R'),
  },
  {
    id: 'aware_at',
    label: 'When you became aware',
    help: 'When the controller became aware of the breach, in UTC: the 72 hours count from it.',
    input: dateTime,
    at: at('O'),
  },
  {
    id: 'delay_reasons',
    label: 'Reasons for the delay',
    help: 'Compulsory when the notification is made after 72 hours (Art. 33(1)).',
    input: text(),
    at: at('L'),
  },
  {
    id: 'to_follow',
    label: 'Information that will follow',
    help: 'What is not known yet: information may be given in phases (Art. 33(4)).',
    input: text(),
    at: at('O'),
  },
]

export const gdprFields: readonly CatalogueField[] = rows.map((row) => ({
  ...row,
  number: null,
  kinds: anyKind,
}))
