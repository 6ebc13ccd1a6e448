import { Fieldset, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { completeSetup, type Setup } from '#contract/people/operations/session.ts'
import { sessionQuery } from '../sign-in/session-query.ts'
import { call } from '../kit/api/call.ts'
import { useSend } from '../kit/api/use-send.ts'
import { pages } from '../areas.ts'
import { Form } from '../kit/form/Form.tsx'
import { PasswordField } from '../kit/form/PasswordField.tsx'
import { ownTimeZone } from '../kit/time/time-zones.ts'
import { useSendForm, type SendForm } from '../kit/form/use-send-form.ts'
import { CompanyFields, trimmedCompany } from '../workspaces/CompanyFields.tsx'

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
    inputOf: (typed) => ({ secret, ...trimmedCompany(typed) }),
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
