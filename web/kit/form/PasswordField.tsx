import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** One that is too long is refused: cut by the field, it would be another than the one that a password manager keeps. */
const newPassword = { minLength: 12, autoComplete: 'new-password' }
const knownPassword = { autoComplete: 'current-password' }

type Props = Omit<PasswordInputProps, 'label' | 'autoComplete'> & {
  label: string
  /** A password to be set, not the one in force. */
  isNew?: boolean
}

/** A password that can be shown; password managers are told whether it is a new one. */
export function PasswordField({ label, isNew = false, ...input }: Props): ReactNode {
  return (
    <PasswordInput
      {...(isNew ? newPassword : knownPassword)}
      {...input}
      label={label}
      required
      visibilityToggleButtonProps={{ 'aria-label': `Show: ${label}` }}
    />
  )
}
