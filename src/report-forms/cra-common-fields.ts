import { anyKind, atStages, list, oneOf, text, yesNo, type CatalogueField } from './catalogue.ts'

export const craStages = ['early_warning', 'notification', 'final_report'] as const
export const craAt = atStages(craStages)

type Row = Omit<CatalogueField, 'number' | 'kinds'>

/** Fields 1 to 18, which both kinds of notification have. */
const rows: readonly Row[] = [
  {
    id: '1',
    label: 'Type of notification',
    help: 'Whether you report an actively exploited vulnerability or a severe incident.',
    input: oneOf([
      { value: 'vulnerability', label: 'Vulnerability' },
      { value: 'incident', label: 'Incident' },
    ]),
    at: craAt('R C C'),
  },
  {
    id: '2',
    label: 'Title',
    help: 'A short name of the event. Leave out confidential detail that is not needed: titles are seen widely.',
    input: text(255),
    at: craAt('R C C'),
  },
  {
    id: '3',
    label: 'Summary',
    help: 'What happened or what is exploited, in which product, and what is known so far.',
    input: text(4000),
    at: craAt('R C C'),
  },
  {
    id: '4',
    label: 'Manufacturer',
    help: 'The name of the manufacturer. The portal fills it in from your registration; compare it.',
    input: text(),
    at: craAt('R C C'),
  },
  {
    id: '5',
    label: 'Member States where the product is available',
    help: 'Every Member State in which the product has been made available, as far as you know.',
    input: list,
    at: craAt('R C C'),
  },
  {
    id: '6',
    label: 'Product name',
    help: 'The affected product with digital elements, by the name under which it is sold.',
    input: text(255),
    at: craAt('R C C'),
  },
  {
    id: '7',
    label: 'Product versions',
    help: 'The affected versions of the product.',
    input: text(255),
    at: craAt('R C C'),
  },
  {
    id: '8',
    label: 'Product type',
    help: 'Whether the product is in the default category, important (Annex III) or critical (Annex IV).',
    input: oneOf([
      { value: 'default', label: 'Default' },
      { value: 'important', label: 'Important' },
      { value: 'critical', label: 'Critical' },
    ]),
    at: craAt('O C C'),
  },
  {
    id: '9',
    label: 'Product class',
    help: 'For important products: class I or class II of Annex III.',
    input: oneOf([
      { value: 'class_1', label: 'Class I' },
      { value: 'class_2', label: 'Class II' },
    ]),
    at: craAt('O C C'),
  },
  {
    id: '10',
    label: 'Product category',
    help: 'For important and critical products: the category of Annex III or IV, such as “password managers”.',
    input: text(),
    at: craAt('O C C'),
  },
  {
    id: '11',
    label: 'End of support reached',
    help: 'Whether the support period of an affected version has ended.',
    input: yesNo,
    at: craAt('O C C'),
  },
  {
    id: '12',
    label: 'Component',
    help: 'The affected component of the product, with its version.',
    input: text(255),
    at: craAt('O C C'),
  },
  {
    id: '13',
    label: 'Mitigating measure expected shortly',
    help: 'Whether you expect to have a mitigating measure soon.',
    input: yesNo,
    at: craAt('O C C'),
  },
  {
    id: '14',
    label: 'What users can do to reduce the impact',
    help: 'What users can do now, before there is a corrective measure.',
    input: text(4000),
    at: craAt('O C C'),
  },
  {
    id: '15',
    label: 'Sensitivity of the information',
    help: 'How sensitive you consider this notification to be, and why.',
    input: text(255),
    at: craAt('O O C'),
  },
  {
    id: '16',
    label: 'Measures taken',
    help: 'Corrective or mitigating measures that you have taken.',
    input: text(2000),
    at: craAt('O O R'),
  },
  {
    id: '17',
    label: 'Measures users can take',
    help: 'Corrective or mitigating measures that users can take, such as an update to a fixed version.',
    input: text(4000),
    at: craAt('O O R'),
  },
  {
    id: '18',
    label: 'Attack vector',
    help: 'How an attacker reaches the vulnerability or reached the system, such as over the network.',
    input: text(255),
    at: craAt('– O O'),
  },
]

export const craCommonFields: readonly CatalogueField[] = rows.map((row) => ({
  ...row,
  number: row.id,
  kinds: anyKind,
}))
