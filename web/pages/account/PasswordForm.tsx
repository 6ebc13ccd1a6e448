import { Button, PasswordInput, Stack, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import { changePassword, type PasswordChange } from '../../../src/contract/operations/account.ts'
import { accountSessionsQuery } from '../../api/queries.ts'
import { call } from '../../api/call.ts'
import { useSend } from '../../api/use-send.ts'
import { fieldErrors, formError } from '../../ui/field-errors.ts'
import { formText } from '../../ui/form-text.ts'
import { Problem } from '../../ui/Problem.tsx'

const shownFields = ['currentPassword', 'newPassword']

/** The e-mail is there for password managers: it tells them whose password changes. */
export function PasswordForm({ email }: { email: string }): ReactNode {
  const id = useId()
  const queryClient = useQueryClient()
  const [isUnequal, setUnequal] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const change = useSend({
    send: (body: PasswordChange) => call(changePassword, { body }),
    onSuccess: () => {
      form.current?.reset()
      notifications.show({
        message: 'Your password is changed. Other browsers are signed out.',
        color: 'green.9',
        withBorder: true,
      })
      void queryClient.invalidateQueries(accountSessionsQuery)
    },
  })
  const errors = fieldErrors(change.error)
  const refused = formError(change.error, shownFields)

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const newPassword = formText(typed, 'newPassword')
    const isRepeated = newPassword === formText(typed, 'repeated')
    setUnequal(!isRepeated)
    if (isRepeated) change.mutate({ currentPassword: formText(typed, 'currentPassword'), newPassword })
  }

  return (
    <form ref={form} onSubmit={submit} aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h3" id={id}>
          Change the password
        </Title>
        {refused === undefined ? null : <Problem error={refused} />}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <Password name="currentPassword" label="Current password" error={errors['currentPassword']} />
        <Password
          name="newPassword"
          label="New password"
          description="12 characters or more."
          error={errors['newPassword']}
        />
        <Password
          name="repeated"
          label="New password again"
          error={isUnequal ? 'This differs from the new password above.' : undefined}
        />
        <Button type="submit" loading={change.isPending}>
          Change the password
        </Button>
      </Stack>
    </form>
  )
}

type PasswordProps = { name: string; label: string; description?: string; error: string | undefined }

function Password({ name, label, error, ...rest }: PasswordProps): ReactNode {
  const isNew = name !== 'currentPassword'
  return (
    <PasswordInput
      {...rest}
      {...(isNew ? { minLength: 12, maxLength: 200 } : {})}
      name={name}
      label={label}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      required
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': `Show: ${label}` }}
    />
  )
}
