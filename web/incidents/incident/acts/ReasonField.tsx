import { Textarea, type TextareaProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** The reason, kept on record. */
export function ReasonField(input: TextareaProps): ReactNode {
  return <Textarea {...input} label="Reason" autosize minRows={2} required />
}
