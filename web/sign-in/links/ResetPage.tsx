import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { resetPassword } from '#contract/people/operations/profile.ts'
import { useFragment } from '../../kit/address/use-fragment.ts'
import { call } from '../../kit/api/call.ts'
import { resetQuery } from '../queries.ts'
import { sessionQuery } from '../session-query.ts'
import { useSend } from '../../kit/api/use-send.ts'
import { pages } from '../../areas.ts'
import { Form } from '../../kit/form/Form.tsx'
import { PasswordField } from '../../kit/form/PasswordField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { LinkPage } from './LinkPage.tsx'

/** Sets a new password through an e-mail link. */
export default function ResetPage(): ReactNode {
  const secret = useFragment()
  const reset = useQuery(resetQuery(secret))
  return (
    <LinkPage title="Choose a new password" state={reset}>
      {({ email }) => <NewPassword secret={secret} email={email} />}
    </LinkPage>
  )
}

function NewPassword({ secret, email }: { secret: string; email: string }): ReactNode {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useSendForm({
    initialValues: { newPassword: '', repeated: '' },
    validate: ({ newPassword, repeated }) =>
      newPassword === repeated ? {} : { repeated: 'The passwords do not match.' },
    inputOf: ({ newPassword }) => ({ secret, newPassword }),
    send: useSend({
      final: true,
      send: (body: { secret: string; newPassword: string }) => call(resetPassword, { body }),
      onSuccess: async () => {
        const message = 'Your password has been changed. Sign in with it.'
        notifications.show({ message, color: 'green.9', withBorder: true })
        queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
        await navigate({ ...pages.signIn(), replace: true })
      },
    }),
  })
  return (
    <Form state={form.state} verb="Change password">
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...form.getInputProps('newPassword')}
        label="New password"
        description="At least 12 characters. Every browser is signed out."
        isNew
        autoFocus
      />
      <PasswordField {...form.getInputProps('repeated')} label="Repeat the new password" isNew />
    </Form>
  )
}
