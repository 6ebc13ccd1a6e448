import { Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { typedLine, typedText } from '#contract/typed-text.ts'
import { fieldId, useProblem } from './fields.ts'

type Props = {
  /** Path in the draft. */
  field: string
  label: string
  description?: string
  placeholder?: string
  /** Rendered below a column header. */
  isCell?: boolean
  value: string
  onChange: (value: string) => void
}

/** A single-line field of a draft, with its problem. */
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
        onChange(typedLine(event.currentTarget.value))
      }}
    />
  )
}

/** A multi-line field of a draft. */
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
        onChange(typedText(event.currentTarget.value))
      }}
    />
  )
}

/** The accessible name of a control whose visible name is its label or its column header. */
function nameOf(label: string, isCell: boolean): { label: string } | { 'aria-label': string; size: 'xs' } {
  return isCell ? { 'aria-label': label, size: 'xs' } : { label }
}
