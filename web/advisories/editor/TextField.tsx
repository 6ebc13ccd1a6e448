import { Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldId, useProblem } from './fields.ts'

type Props = {
  /** Path in the draft. */
  field: string
  label: string
  description?: string
  placeholder?: string
  /** It is below the name of its column. */
  isCell?: boolean
  value: string
  onChange: (value: string) => void
}

/** A line of a draft, with what is wrong with it. */
export function LineField({ field, label, isCell = false, onChange, ...props }: Props): ReactNode {
  const error = useProblem(field)
  return (
    <TextInput
      {...props}
      {...nameOf(label, isCell)}
      id={fieldId(field)}
      error={error}
      flex={1}
      onChange={(event) => {
        onChange(event.currentTarget.value)
      }}
    />
  )
}

/** A text of a draft; it keeps its lines. */
export function TextField({ field, label, isCell = false, onChange, ...props }: Props): ReactNode {
  const error = useProblem(field)
  return (
    <Textarea
      {...props}
      {...nameOf(label, isCell)}
      id={fieldId(field)}
      error={error}
      autosize
      minRows={isCell ? 1 : 2}
      maxRows={14}
      onChange={(event) => {
        onChange(event.currentTarget.value)
      }}
    />
  )
}

/** A control is named by its label, or where its column has the name, for those who hear it. */
function nameOf(label: string, isCell: boolean): { label: string } | { 'aria-label': string; size: 'xs' } {
  return isCell ? { 'aria-label': label, size: 'xs' } : { label }
}
