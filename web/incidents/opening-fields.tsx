import { MultiSelect, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import type { IncidentKind } from '#contract/incidents/shapes.ts'
import { severities } from '#contract/severities.ts'
import { TimeField } from '../kit/form/TimeField.tsx'
import type { SendForm } from '../kit/form/use-send-form.ts'

/** What every incident that is opened by hand is made of, as it is typed. */
export type TypedOpening = {
  kind: IncidentKind
  title: string
  vulnerability: string
  families: string[]
  severity: string
  awareAt: string
}

/** Of the body that is sent, all but the times. */
export function openingBody({ kind, title, vulnerability, families, severity }: TypedOpening) {
  const isVulnerability = kind === 'vulnerability' && vulnerability.trim() !== ''
  return {
    kind,
    title: title.trim(),
    families,
    severity: severities.find((one) => one === severity) ?? 'unknown',
    ...(isVulnerability ? { vulnerability: vulnerability.trim() } : {}),
  }
}

type Props = {
  getInputProps: SendForm<TypedOpening>['getInputProps']
  families: readonly { id: string; name: string }[]
  timeZone: string
  /** Shown while no family is chosen. */
  isWithoutFamily: boolean
  /** Where the time that is filled in comes from. */
  awareFrom?: string
}

/** Which products it is in, how bad it is, and since when the company knows. */
export function OpeningFields(props: Props): ReactNode {
  const { getInputProps, families, timeZone, isWithoutFamily, awareFrom = '' } = props
  return (
    <>
      <MultiSelect
        {...getInputProps('families')}
        label="Product families"
        placeholder={isWithoutFamily ? 'None yet' : ''}
        data={families.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
        searchable
        clearable
      />
      <NativeSelect {...getInputProps('severity')} label="Severity" data={[...severities]} />
      <TimeField
        {...getInputProps('awareAt')}
        label="Aware since"
        description={`${awareFrom} The clocks are counted from here.`.trim()}
        timeZone={timeZone}
        required
      />
    </>
  )
}
