import { TextInput, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { requestEmailChange } from '#contract/people/operations/profile.ts'
import { call } from '../kit/api/call.ts'
import { signUpOfferQuery } from '../sign-in/queries.ts'
import { useSend } from '../kit/api/use-send.ts'
import { Form } from '../kit/form/Form.tsx'
import { PasswordField } from '../kit/form/PasswordField.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { whereLinkGoes, whereLinkWent } from '../sign-in/link-words.ts'

type Typed = { email: string; password: string }

/** Asks for another e-mail address; a link sent to it confirms the change. */
export function EmailForm(): ReactNode {
  const id = useId()
  const sendsMail = useQuery(signUpOfferQuery).data?.sendsMail !== false
  const form = useSendForm<Typed, Typed>({
    initialValues: { email: '', password: '' },
    inputOf: (typed) => ({ ...typed, email: typed.email.trim() }),
    send: useSend({
      send: (body: Typed) => call(requestEmailChange, { body }),
      onSuccess: (_nothing, { email }) => {
        notifications.show({
          message: `${whereLinkWent({ email, sendsMail, what: 'link' })} Your address changes when it is opened.`,
          color: 'green.9',
          withBorder: true,
        })
      },
    }),
    clears: true,
  })
  return (
    <Form state={form.state} verb="Send the link" labelledBy={id}>
      <Title order={2} size="h3" id={id}>
        Change e-mail address
      </Title>
      <TextInput
        {...form.getInputProps('email')}
        type="email"
        label="New e-mail"
        description={`${whereLinkGoes(sendsMail)}${sendsMail ? ' The old address gets a message once the link has been opened.' : ''}`}
        autoComplete="email"
        required
      />
      <PasswordField {...form.getInputProps('password')} label="Your password" />
    </Form>
  )
}
