import { Checkbox, Fieldset, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { requestSignUp, type SignUp, type SignUpOffer } from '#contract/people/operations/sign-up.ts'
import { call } from '../../kit/api/call.ts'
import { useSend } from '../../kit/api/use-send.ts'
import { Form } from '../../kit/form/Form.tsx'
import { CompanyFields, trimmedCompany } from '../../workspaces/CompanyFields.tsx'
import { ownTimeZone } from '../../kit/time/time-zones.ts'
import { useSendForm, type SendForm } from '../../kit/form/use-send-form.ts'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'
import { whereLinkGoes } from '../link-words.ts'

type Props = { offer: SignUpOffer; onSent: (email: string) => void }

export function SignUpForm({ offer, onSent }: Props): ReactNode {
  const form = useSendForm<SignUp, SignUp>({
    initialValues: {
      name: '',
      email: '',
      companyName: '',
      slug: '',
      securityContactEmail: '',
      timeZone: ownTimeZone(),
      acceptsTerms: false,
    },
    inputOf: (typed) => typed,
    send: useSend({
      send: (body: SignUp) => call(requestSignUp, { body: trimmedCompany(body) }),
      onSuccess: (_nothing, { email }) => {
        onSent(email.trim())
      },
    }),
  })
  return (
    <Form state={form.state} verb="Sign up">
      <Fieldset legend="You">
        <Stack gap="sm">
          <TextInput {...form.getInputProps('name')} label="Name" autoComplete="name" required autoFocus />
          <TextInput
            {...form.getInputProps('email')}
            type="email"
            label="E-mail"
            description={`${whereLinkGoes(offer.sendsMail)} You choose your password when you open it.`}
            autoComplete="email"
            required
          />
        </Stack>
      </Fieldset>
      <CompanyFields form={form} />
      <Terms form={form} offer={offer} />
    </Form>
  )
}

function Terms({ form, offer }: { form: SendForm<SignUp>; offer: SignUpOffer }): ReactNode {
  const { termsUrl, privacyUrl } = offer
  return (
    <Stack gap="xs">
      {privacyUrl === null ? null : (
        <Text size="sm">
          How your data is handled: <ExternalLink href={privacyUrl}>privacy policy</ExternalLink>
        </Text>
      )}
      {termsUrl === null ? null : (
        <>
          <Text size="sm">
            What you agree to: <ExternalLink href={termsUrl}>terms of service</ExternalLink>
          </Text>
          <Checkbox
            {...form.getInputProps('acceptsTerms', { type: 'checkbox' })}
            label="I accept the terms of service."
            required
          />
        </>
      )}
    </Stack>
  )
}
