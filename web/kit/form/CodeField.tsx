import { TextInput, type TextInputProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** The six digits of an authenticator app; phones show a number pad. */
export function CodeField(input: Omit<TextInputProps, 'label'>): ReactNode {
  return (
    <TextInput
      {...input}
      label="Six-digit code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={20}
      required
    />
  )
}
