import { anyKind, atStages, text, type CatalogueField } from './catalogue.ts'

export const norwegianStages = ['early_warning', 'notification', 'final_report'] as const
const at = atStages(norwegianStages)

type Row = Omit<CatalogueField, 'number' | 'kinds'>

/**
 * What Regulation 2025-06-20-1131 § 17 asks for. It makes no difference between the stages; what the first ones cannot know yet is required if
 * known, and the full report requires all of it.
 */
const rows: readonly Row[] = [
  {
    id: 'service',
    label: 'Affected service',
    help: 'The service that the incident has a significant effect on.',
    input: text(),
    at: at('R C C'),
  },
  {
    id: 'users',
    label: 'Number of users',
    help: 'How many users are affected; an estimate is enough at first.',
    input: text(),
    at: at('A A R'),
  },
  {
    id: 'duration',
    label: 'Duration',
    help: 'When the incident began, and when it ended or is expected to end.',
    input: text(),
    at: at('A A R'),
  },
  {
    id: 'spread',
    label: 'Geographic spread',
    help: 'The area in which the service is affected.',
    input: text(),
    at: at('A A R'),
  },
  {
    id: 'cause',
    label: 'Cause',
    help: 'What caused the incident, as far as it is known.',
    input: text(),
    at: at('A A R'),
  },
  {
    id: 'consequences',
    label: 'Consequences',
    help: 'What the incident means for the service and those who depend on it.',
    input: text(),
    at: at('A A R'),
  },
  {
    id: 'measures',
    label: 'Measures',
    help: 'What has been done and what is planned.',
    input: text(),
    at: at('A A R'),
  },
  {
    id: 'cross_border',
    label: 'Effect in other countries',
    help: 'Whether services in other countries are affected, and how.',
    input: text(),
    at: at('A A R'),
  },
  {
    id: 'contact',
    label: 'Contact',
    help: 'Who answers questions of the authority, with phone and e-mail.',
    input: text(),
    at: at('R C C'),
  },
]

export const norwegianFields: readonly CatalogueField[] = rows.map((row) => ({
  ...row,
  number: null,
  kinds: anyKind,
}))
