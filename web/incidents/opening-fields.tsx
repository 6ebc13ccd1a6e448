import { Checkbox, MultiSelect, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import type { IncidentKind } from '#contract/incidents/words.ts'
import { severities } from '#contract/severities.ts'
import { severityChoices } from '../findings/severity.ts'
import { isFailure } from '../kit/api/request.ts'
import { fieldErrors, type FieldErrors } from '../kit/form/field-errors.ts'
import { TimeField } from '../kit/form/TimeField.tsx'
import type { SendForm } from '../kit/form/use-send-form.ts'

/** The fields common to every incident opened by hand, as typed. */
export type TypedOpening = {
  kind: IncidentKind
  title: string
  vulnerability: string
  families: string[]
  severity: string
  awareAt: string
  /** Confirms that it differs from severe incidents already open on the same products. */
  isAnother: boolean
}

/** Part of the request body, without the times. */
export function openingBody(typed: TypedOpening) {
  const { kind, title, vulnerability, families, severity, isAnother } = typed
  const isVulnerability = kind === 'vulnerability' && vulnerability.trim() !== ''
  return {
    kind,
    title: title.trim(),
    families,
    severity: severities.find((one) => one === severity) ?? 'unknown',
    ...(isVulnerability ? { vulnerability: vulnerability.trim() } : {}),
    ...(kind === 'severe_incident' ? { isAnother } : {}),
  }
}

/** "A severe incident is open on the same products" is shown at the field that answers it, `isAnother`. */
export function openingErrors(error: unknown, { kind }: TypedOpening): FieldErrors {
  const namesAnother = isFailure(error, 'conflict') && error.detail !== undefined
  return namesAnother && kind === 'severe_incident' ? { isAnother: error.message } : fieldErrors(error)
}

type Props = {
  form: Pick<SendForm<TypedOpening>, 'getInputProps' | 'values' | 'errors'>
  families: readonly { id: string; name: string }[]
  timeZone: string
  /** Source of the time filled in. */
  awareFrom?: string
}

/** The affected products, the severity, and the time of awareness. */
export function OpeningFields(props: Props): ReactNode {
  const { form, families, timeZone, awareFrom = '' } = props
  const { getInputProps, values, errors } = form
  const isAsked = values.isAnother || errors['isAnother'] !== undefined
  return (
    <>
      <MultiSelect
        {...getInputProps('families')}
        label="Product families"
        placeholder={values.families.length === 0 ? 'None yet' : ''}
        data={families.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
        searchable
        clearable
      />
      <NativeSelect {...getInputProps('severity')} label="Severity" data={severityChoices} />
      <TimeField
        {...getInputProps('awareAt')}
        label="Aware since"
        description={`${awareFrom} The clocks run from this time.`.trim()}
        timeZone={timeZone}
        required
      />
      {values.kind === 'severe_incident' && isAsked ? (
        <Checkbox
          {...getInputProps('isAnother', { type: 'checkbox' })}
          autoFocus
          label="This is another one"
          description="Both then have clocks and reports of their own."
        />
      ) : null}
    </>
  )
}
