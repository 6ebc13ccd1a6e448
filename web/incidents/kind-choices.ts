import type { IncidentKind } from '#contract/incidents/words.ts'
import type { Choice } from '../kit/form/ChoiceField.tsx'

/** The kinds of incident that can be opened by hand. */
export const kindChoices: Choice<IncidentKind>[] = [
  {
    value: 'vulnerability',
    label: 'An exploited vulnerability',
    description: 'Somebody uses, or may use, a vulnerability in one of your products.',
  },
  {
    value: 'severe_incident',
    label: 'A severe incident',
    description:
      'The security of a product is in danger for another reason: malware in a component, a stolen signing key, a tampered build.',
  },
]
