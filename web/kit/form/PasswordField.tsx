import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** One that is too long is refused: cut by the field, it would be another than the one that a password manager keeps. */
const newPassword = { minLength: 12, autoComplete: 'new-password' }
const knownPassword = { autoComplete: 'current-password' }

type Props = Omit<PasswordInputProps, 'label' | 'autoComplete'> & {
  label: string
  /** A new password, not the current one. */
  isNew?: boolean
}

/** A password field that can show its text; tells password managers whether the password is new. */
export function PasswordField({ label, isNew = false, ...input }: Props): ReactNode {
  return (
    <PasswordInput
      {...(isNew ? newPassword : knownPassword)}
      {...input}
      label={label}
      required
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': `Show: ${label}` }}
    />
  )
}
