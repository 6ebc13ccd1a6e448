import { Fieldset, Select, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { completeSetup, type Setup } from '../../../src/contract/operations/people/session.ts'
import { sessionQuery } from '../../api/queries.ts'
import { call } from '../../api/call.ts'
import { useSend } from '../../api/use-send.ts'
import { pages } from '../../paths.ts'
import { Form } from '../../ui/form/Form.tsx'
import { PasswordField } from '../../ui/form/PasswordField.tsx'
import { ownTimeZone, timeZones } from '../../ui/form/time-zones.ts'
import { useSendForm, type SendForm } from '../../ui/form/use-send-form.ts'
import { suggestSlug } from '../../ui/form/slug-suggestion.ts'

type Typed = Omit<Setup, 'secret'>

export function SetupForm({ secret }: { secret: string }): ReactNode {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useSendForm<Typed, Setup>({
    initialValues: {
      name: '',
      email: '',
      password: '',
      companyName: '',
      slug: '',
      securityContactEmail: '',
      timeZone: ownTimeZone(),
    },
    inputOf: (typed) => ({ secret, ...trimmed(typed) }),
    send: useSend({
      final: true,
      send: (body: Setup) => call(completeSetup, { body }),
      onSuccess: async (session, { slug }) => {
        queryClient.setQueryData(sessionQuery.queryKey, session)
        await navigate({ ...pages.dashboard(slug), replace: true })
      },
    }),
  })
  return (
    <Form state={form.state} verb="Create the workspace">
      <PersonFields form={form} />
      <CompanyFields form={form} />
    </Form>
  )
}

function trimmed(typed: Typed): Typed {
  return {
    ...typed,
    name: typed.name.trim(),
    email: typed.email.trim(),
    companyName: typed.companyName.trim(),
    slug: typed.slug.trim(),
    securityContactEmail: typed.securityContactEmail.trim(),
  }
}

type FieldsProps = { form: SendForm<Typed> }

function PersonFields({ form }: FieldsProps): ReactNode {
  return (
    <Fieldset legend="You">
      <Stack gap="sm">
        <TextInput {...form.getInputProps('name')} label="Name" autoComplete="name" required autoFocus />
        <TextInput
          {...form.getInputProps('email')}
          type="email"
          label="E-mail"
          autoComplete="email"
          required
        />
        <PasswordField
          {...form.getInputProps('password')}
          label="Password"
          description="At least 12 characters."
          isNew
        />
      </Stack>
    </Fieldset>
  )
}

function CompanyFields({ form }: FieldsProps): ReactNode {
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
