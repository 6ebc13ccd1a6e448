import { Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { changePassword, type PasswordChange } from '#contract/people/operations/account.ts'
import { accountSessionsQuery } from './queries.ts'
import { call } from '../kit/api/call.ts'
import { useSend } from '../kit/api/use-send.ts'
import type { FieldErrors } from '../kit/form/field-errors.ts'
import { Form } from '../kit/form/Form.tsx'
import { PasswordField } from '../kit/form/PasswordField.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'

const empty = { currentPassword: '', newPassword: '', repeated: '' }

/** The e-mail field tells password managers whose password is changing. */
export function PasswordForm({ email }: { email: string }): ReactNode {
  const id = useId()
  const queryClient = useQueryClient()
  const form = useSendForm({
    initialValues: empty,
    validate: repetitionErrors,
    inputOf: ({ currentPassword, newPassword }): PasswordChange => ({ currentPassword, newPassword }),
    send: useSend({
      send: (body: PasswordChange) => call(changePassword, { body }),
      onSuccess: () => {
        notifications.show({
          message: 'Your password has been changed. Other browsers have been signed out.',
          color: 'green.9',
          withBorder: true,
        })
        void queryClient.invalidateQueries(accountSessionsQuery)
      },
    }),
    clears: true,
  })
  return (
    <Form state={form.state} verb="Change password" labelledBy={id}>
      <Title order={2} size="h3" id={id}>
        Change password
      </Title>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField {...form.getInputProps('currentPassword')} label="Current password" />
      <PasswordField
        {...form.getInputProps('newPassword')}
        label="New password"
        description="At least 12 characters."
        isNew
      />
      <PasswordField {...form.getInputProps('repeated')} label="Repeat the new password" isNew />
    </Form>
  )
}

function repetitionErrors({ newPassword, repeated }: typeof empty): FieldErrors {
  return newPassword === repeated ? {} : { repeated: 'The passwords do not match.' }
}
