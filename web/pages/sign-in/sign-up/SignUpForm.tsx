import { Checkbox, Fieldset, Select, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  requestSignUp,
  type SignUp,
  type SignUpOffer,
} from '../../../../src/contract/operations/people/sign-up.ts'
import { call } from '../../../api/call.ts'
import { useSend } from '../../../api/use-send.ts'
import { Form } from '../../../ui/form/Form.tsx'
import { suggestSlug } from '../../../ui/form/slug-suggestion.ts'
import { ownTimeZone, timeZones } from '../../../ui/form/time-zones.ts'
import { useSendForm, type SendForm } from '../../../ui/form/use-send-form.ts'
import { ExternalLink } from '../../../ui/text/ExternalLink.tsx'

type Props = { offer: SignUpOffer; onSent: (email: string) => void }

export function SignUpForm({ offer, onSent }: Props): ReactNode {
  const form = useSendForm<SignUp, SignUp>({
    initialValues: {
      ...{ name: '', email: '', companyName: '', slug: '', securityContactEmail: '' },
      ...{ timeZone: ownTimeZone(), acceptsTerms: false },
    },
    inputOf: (typed) => typed,
    send: useSend({
      send: (body: SignUp) => call(requestSignUp, { body: trimmed(body) }),
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
            description="A link goes there. You choose your password when you open it."
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

function trimmed(typed: SignUp): SignUp {
  return {
    ...typed,
    name: typed.name.trim(),
    email: typed.email.trim(),
    companyName: typed.companyName.trim(),
    slug: typed.slug.trim(),
    securityContactEmail: typed.securityContactEmail.trim(),
  }
}

function CompanyFields({ form }: { form: SendForm<SignUp> }): ReactNode {
  /** The address follows the name until it is typed itself. */
  function nameCompany(name: string): void {
    const { companyName, slug } = form.values
    form.setFieldValue('companyName', name)
    if (slug === suggestSlug(companyName)) form.setFieldValue('slug', suggestSlug(name))
  }
  return (
    <Fieldset legend="Company">
      <Stack gap="sm">
        <TextInput
          {...form.getInputProps('companyName')}
          label="Company name"
          autoComplete="organization"
          required
          onChange={(event) => {
            nameCompany(event.currentTarget.value)
          }}
        />
        <TextInput
          {...form.getInputProps('slug')}
          label="Workspace address"
          description="a-z, 0-9 and dashes. It appears in public URLs and cannot be changed after the first advisory is published."
          required
          leftSection="/app/"
          leftSectionWidth={52}
        />
        <TextInput
          {...form.getInputProps('securityContactEmail')}
          type="email"
          label="Security contact e-mail"
          description="Published as the contact for vulnerability reports."
          required
        />
        <Select
          {...form.getInputProps('timeZone')}
          label="Time zone"
          description="Used to count deadlines and working days."
          data={timeZones()}
          searchable
          allowDeselect={false}
          required
        />
      </Stack>
    </Fieldset>
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
            What is agreed: <ExternalLink href={termsUrl}>terms of service</ExternalLink>
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
