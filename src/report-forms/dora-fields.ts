import { doraFactList } from '../contract/incidents/dora-facts.ts'
import { anyKind, atStages, dateTime, list, oneOf, text, yesNo, type CatalogueField } from './catalogue.ts'

export const doraStages = ['initial_notification', 'intermediate_report', 'final_report'] as const
const at = atStages(doraStages)

type Row = Omit<CatalogueField, 'number' | 'kinds'> & { number?: string }

/** Delegated Regulation (EU) 2025/301, Art. 1: general information, which every stage has. */
const general: readonly Row[] = [
  {
    id: 'report_type',
    label: 'Type of report',
    help: 'Which report this is.',
    input: oneOf([
      { value: 'initial_notification', label: 'Initial notification' },
      { value: 'intermediate_report', label: 'Intermediate report' },
      { value: 'final_report', label: 'Final report' },
      { value: 'reclassified', label: 'Major incident reclassified as non-major' },
    ]),
    at: at('R R R'),
  },
  ...doraFactList.map(({ id, label, help, isRequired, maxCharacters }) => ({
    id,
    label,
    help,
    input: text(maxCharacters),
    at: at(isRequired ? 'R C C' : 'O C C'),
  })),
]

/** Art. 2. One template serves all stages, so that later ones show it again. */
const initial: readonly Row[] = [
  {
    id: 'reference',
    label: 'Incident reference code',
    help: 'Your own reference of the incident.',
    input: text(),
    at: at('R C C'),
  },
  {
    id: 'aware_at',
    number: '2.2',
    label: 'Date and time of detection',
    help: 'When you became aware of the incident, in UTC.',
    input: dateTime,
    at: at('R R R'),
  },
  {
    id: 'classified_at',
    number: '2.3',
    label: 'Date and time of classification',
    help: 'When you classified the incident as major, in UTC.',
    input: dateTime,
    at: at('R R R'),
  },
  {
    id: 'description',
    label: 'Description',
    help: 'What happened, as far as it is known.',
    input: text(),
    at: at('R C C'),
  },
  {
    id: 'criteria',
    label: 'Classification criteria met',
    help: 'The criteria of Delegated Regulation (EU) 2024/1772 by which the incident is major.',
    input: text(),
    at: at('R C C'),
  },
  {
    id: 'member_states',
    label: 'Member States affected',
    help: 'Every Member State in which the incident has an impact.',
    input: list,
    at: at('R C C'),
  },
  {
    id: 'discovery',
    label: 'How it was discovered',
    help: 'Such as by monitoring, staff, clients, a provider or a security researcher.',
    input: text(),
    at: at('R C C'),
  },
  {
    id: 'origin',
    label: 'Origin',
    help: 'Whether it originates from a third-party provider or another financial entity, and from which.',
    input: text(),
    at: at('A C C'),
  },
  {
    id: 'continuity_plan',
    label: 'Business continuity plan activated',
    help: 'Whether you have activated a business continuity plan.',
    input: yesNo,
    at: at('R C C'),
  },
  {
    id: 'reclassification',
    label: 'Reclassification as not major',
    help: 'Only if the thresholds were never met: why the incident is not major after all.',
    input: text(),
    at: at('O O O'),
  },
  {
    id: 'other',
    label: 'Other information',
    help: 'Anything else that the authority should know.',
    input: text(),
    at: at('O C C'),
  },
]

/** Art. 3. */
const intermediate: readonly Row[] = [
  {
    id: 'authority_reference',
    label: 'Reference code of the authority',
    help: 'The reference that the authority gave the incident, if it gave one.',
    input: text(),
    at: at('– A C'),
  },
  {
    id: 'occurred_at',
    label: 'Date and time of occurrence',
    help: 'When the incident occurred or began, in UTC. Give an estimate where it is not known.',
    input: dateTime,
    at: at('– R C'),
  },
  {
    id: 'recovered_at',
    label: 'Date and time of recovery',
    help: 'When your regular activities were back, in UTC.',
    input: dateTime,
    at: at('– A C'),
  },
  {
    id: 'criteria_figures',
    label: 'Figures for the criteria',
    help: 'How the criteria were met: clients, transactions, duration, geographic spread, data, reputation, economic impact. Estimates are expected.',
    input: text(),
    at: at('– R C'),
  },
  {
    id: 'type',
    label: 'Type of incident',
    help: 'Such as a cyberattack, a process failure, a system failure, an external event or a payment-related incident.',
    input: text(),
    at: at('– R C'),
  },
  {
    id: 'threats',
    label: 'Threats and techniques',
    help: 'The threats and techniques that the attacker used, where there is one.',
    input: text(),
    at: at('– A C'),
  },
  {
    id: 'functions',
    label: 'Affected functions and processes',
    help: 'The functional areas and business processes that are affected.',
    input: text(),
    at: at('– R C'),
  },
  {
    id: 'infrastructure',
    label: 'Affected infrastructure',
    help: 'The infrastructure components behind these processes.',
    input: text(),
    at: at('– R C'),
  },
  {
    id: 'client_impact',
    label: 'Impact on clients',
    help: 'The impact on the financial interest of clients.',
    input: text(),
    at: at('– R C'),
  },
  {
    id: 'other_authorities',
    label: 'Other authorities informed',
    help: 'Which other authorities you have told of the incident; “none” where there are none.',
    input: text(),
    at: at('– R C'),
  },
  {
    id: 'temporary_measures',
    label: 'Temporary measures',
    help: 'What you have done or plan to do to recover from the incident.',
    input: text(),
    at: at('– R C'),
  },
  {
    id: 'indicators',
    label: 'Indicators of compromise',
    help: 'Such as addresses, domains or hashes that help others to recognise the attack.',
    input: text(),
    at: at('– A C'),
  },
]

/** Art. 4. */
const final: readonly Row[] = [
  {
    id: 'root_causes',
    label: 'Root causes',
    help: 'What caused the incident.',
    input: text(),
    at: at('– – R'),
  },
  {
    id: 'resolved_at',
    label: 'Date and time of resolution',
    help: 'When the incident was resolved, in UTC.',
    input: dateTime,
    at: at('– – R'),
  },
  {
    id: 'causes_addressed_at',
    label: 'Date and time when the root causes were addressed',
    help: 'When the root causes were addressed, in UTC.',
    input: dateTime,
    at: at('– – R'),
  },
  {
    id: 'resolution',
    label: 'Resolution',
    help: 'How the incident was resolved, and the permanent measures against it.',
    input: text(),
    at: at('– – R'),
  },
  {
    id: 'resolution_authorities',
    label: 'Information for resolution authorities',
    help: 'Where it applies: what resolution authorities need to know.',
    input: text(),
    at: at('– – A'),
  },
  {
    id: 'costs',
    label: 'Costs and losses',
    help: 'Direct and indirect costs and losses, with the currency.',
    input: text(),
    at: at('– – R'),
  },
  {
    id: 'recoveries',
    label: 'Financial recoveries',
    help: 'What you have recovered of them, such as from an insurer; “none” where there is nothing.',
    input: text(),
    at: at('– – R'),
  },
  {
    id: 'recurring',
    label: 'Recurring incidents',
    help: 'Where it applies: earlier incidents with the same root cause.',
    input: text(),
    at: at('– – A'),
  },
]

const ofStages = [...initial, ...intermediate, ...final].map(({ number, ...row }) => {
  return { ...row, number: number ?? null, kinds: anyKind }
})

/** Without what is general: the form in which drafts were written before it had that. */
export const doraFieldsOfStages: readonly CatalogueField[] = ofStages

export const doraFields: readonly CatalogueField[] = [
  ...general.map((row) => ({ ...row, number: null, kinds: anyKind })),
  ...ofStages,
]
