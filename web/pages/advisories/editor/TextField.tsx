import { Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { fieldId, useProblem } from './fields.ts'

type Props = {
  /** Path in the draft. */
  field: string
  label: string
  description?: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
}

/** A line of a draft, with what is wrong with it. */
export function LineField({ field, onChange, ...props }: Props): ReactNode {
  const error = useProblem(field)
  return (
    <TextInput
      {...props}
      id={fieldId(field)}
      error={error}
      flex={1}
      miw={180}
      onChange={(event) => {
        onChange(event.currentTarget.value)
      }}
    />
  )
}

/** A text of a draft; it keeps its lines. */
export function TextField({ field, onChange, ...props }: Props): ReactNode {
  const error = useProblem(field)
  return (
    <Textarea
      {...props}
      id={fieldId(field)}
      error={error}
      autosize
      minRows={2}
      maxRows={14}
      onChange={(event) => {
        onChange(event.currentTarget.value)
      }}
    />
  )
}
