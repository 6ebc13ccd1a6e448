import { dateTime, oneOf, text, type CatalogueField } from './catalogue.ts'
import { craAt } from './cra-common-fields.ts'

type Row = Omit<CatalogueField, 'number' | 'kinds'>

/** Fields i31 to i39, which the notification of a severe incident has. */
const rows: readonly Row[] = [
  {
    id: 'i31',
    label: 'Suspected to be unlawful or malicious',
    help: 'Whether you suspect that an unlawful or malicious act caused the incident.',
    input: oneOf([
      { value: 'yes', label: 'Yes' },
      { value: 'no', label: 'No' },
      { value: 'unknown', label: 'Unknown' },
    ]),
    at: craAt('R C C'),
  },
  {
    id: 'i32',
    label: 'Nature of the incident',
    help: 'What happened, such as a compromised build, update channel, signing key or source repository.',
    input: text(4000),
    at: craAt('O R C'),
  },
  {
    id: 'i33',
    label: 'Applied and ongoing mitigation',
    help: 'Measures that you have applied and those still under way.',
    input: text(4000),
    at: craAt('O O R'),
  },
  {
    id: 'i34',
    label: 'Severity',
    help: 'A detailed description of how severe the incident is.',
    input: text(4000),
    at: craAt('O O R'),
  },
  {
    id: 'i35',
    label: 'Impact',
    help: 'A detailed description of the impact on the product and its users.',
    input: text(4000),
    at: craAt('O O R'),
  },
  {
    id: 'i36',
    label: 'Threat type or root cause',
    help: 'The type of threat or the root cause that is likely to have triggered the incident.',
    input: text(255),
    at: craAt('O O R'),
  },
  {
    id: 'i37',
    label: 'When you became aware',
    help: 'When the manufacturer became aware of the incident, in UTC.',
    input: dateTime,
    at: craAt('R R C'),
  },
  {
    id: 'i38',
    label: 'When it occurred',
    help: 'When the incident occurred or began, in UTC.',
    input: dateTime,
    at: craAt('O R O'),
  },
  {
    id: 'i39',
    label: 'Initial assessment',
    help: 'Your first assessment of the incident.',
    input: text(4000),
    at: craAt('O R C'),
  },
]

export const craIncidentFields: readonly CatalogueField[] = rows.map((row) => ({
  ...row,
  number: row.id,
  kinds: ['severe_incident'],
}))
