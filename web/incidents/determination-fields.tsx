import { Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { valueNames } from '#contract/incidents/incident-names.ts'
import { minReasoningCharacters } from '#contract/incidents/limits.ts'
import { negativeValues, type DeterminationValue } from '#contract/incidents/words.ts'
import { ChoiceField } from '../kit/form/ChoiceField.tsx'
import type { FieldErrors } from '../kit/form/field-errors.ts'
import type { SendForm } from '../kit/form/use-send-form.ts'
import { valueTests } from './words.ts'

/** The fields of a determination as typed. */
export type TypedDetermination = { value: DeterminationValue | null; reasoning: string; evidence: string }

export const noDetermination: TypedDetermination = { value: null, reasoning: '', evidence: '' }

/** Problems found before sending. */
export function determinationErrors({ value, reasoning }: TypedDetermination): FieldErrors {
  const isShort = [...reasoning.trim()].length < minReasoningCharacters
  return {
    ...(value === null ? { value: 'Choose what you found.' } : {}),
    ...(isShort ? { reasoning: `Explain it in at least ${minReasoningCharacters} characters.` } : {}),
  }
}

/** The request body; undefined while nothing is chosen. */
export function determinationBody({ value, reasoning, evidence }: TypedDetermination) {
  if (value === null) return undefined
  const links = evidence.split(/\s+/).filter((link) => link !== '')
  return { value, reasoning: reasoning.trim(), evidence: links }
}

type Props = {
  values: readonly DeterminationValue[]
  getInputProps: SendForm<TypedDetermination>['getInputProps']
}

/** Each answer with the legal test in plain words; then the reason and the evidence. */
export function DeterminationFields({ values, getInputProps }: Props): ReactNode {
  return (
    <>
      <ChoiceField<DeterminationValue>
        {...getInputProps('value')}
        label="What did you find?"
        description="A listing in a catalogue is a reason to look, not yet a finding about your product."
        choices={values.map((value) => ({
          value,
          label: negativeValues.includes(value)
            ? `${valueNames[value]} (needs a second person)`
            : valueNames[value],
          description: valueTests[value],
        }))}
        withAsterisk
      />
      <Textarea
        {...getInputProps('reasoning')}
        label="Why"
        description={`What you looked at and what it showed; at least ${minReasoningCharacters} characters. An authority may read it.`}
        autosize
        minRows={3}
        maxRows={12}
        required
      />
      <Textarea
        {...getInputProps('evidence')}
        label="Evidence"
        description="Links, one on each line."
        autosize
        minRows={1}
        maxRows={6}
      />
    </>
  )
}
