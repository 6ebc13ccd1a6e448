import { Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { requestReset } from '#contract/people/operations/profile.ts'
import { call } from '../kit/api/call.ts'
import { signUpOfferQuery } from './queries.ts'
import { useSend } from '../kit/api/use-send.ts'
import { pages } from '../areas.ts'
import { Form } from '../kit/form/Form.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { WholePage } from '../kit/page/WholePage.tsx'
import { ButtonLink } from '../kit/text/links.tsx'
import { SentLink } from './SentLink.tsx'

/** Resets a forgotten password. Does not reveal whether an address has an account. */
export default function ForgottenPage(): ReactNode {
  const [sentTo, setSentTo] = useState<string | undefined>(undefined)
  const sendsMail = useQuery(signUpOfferQuery).data?.sendsMail
  const form = useSendForm({
    initialValues: { email: '' },
    inputOf: ({ email }) => ({ email: email.trim() }),
    send: useSend({
      send: (body: { email: string }) => call(requestReset, { body }),
      onSuccess: (_nothing, { email }) => {
        setSentTo(email)
      },
    }),
  })
  return (
    <WholePage title="Forgotten password">
      {sentTo === undefined ? (
        <Form state={form.state} verb="Send the link">
          <Text>
            {sendsMail === false
              ? 'This service has no mail server: its operator has the link to choose a new password and can give it to you. It is valid for an hour.'
              : 'A link to choose a new password goes to your e-mail address. It is valid for an hour.'}
          </Text>
          <TextInput
            {...form.getInputProps('email')}
            type="email"
            label="E-mail"
            autoComplete="username"
            required
            autoFocus
          />
        </Form>
      ) : (
        <SentLink email={sentTo} isCertain={false} sendsMail={sendsMail !== false} />
      )}
      <ButtonLink {...pages.signIn()} variant="default">
        Back to sign-in
      </ButtonLink>
    </WholePage>
  )
}
