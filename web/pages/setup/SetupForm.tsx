import { Button, Fieldset, PasswordInput, Select, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type SubmitEvent, type ReactNode } from 'react'
import { completeSetup, type Setup } from '../../../src/contract/operations/session.ts'
import { sessionQuery } from '../../api/queries.ts'
import { call } from '../../api/call.ts'
import { useSend } from '../../api/use-send.ts'
import { pages } from '../../paths.ts'
import { fieldErrors, formError } from '../../ui/field-errors.ts'
import { formText } from '../../ui/form-text.ts'
import { Problem } from '../../ui/Problem.tsx'
import { suggestSlug } from './slug-suggestion.ts'

const shownFields = ['name', 'email', 'password', 'companyName', 'slug', 'securityContactEmail', 'timeZone']

export function SetupForm({ secret }: { secret: string }): ReactNode {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const setUp = useSend({
    final: true,
    send: (body: Setup) => call(completeSetup, { body }),
    onSuccess: async (session, { slug }) => {
      queryClient.setQueryData(sessionQuery.queryKey, session)
      await navigate({ ...pages.dashboard(slug), replace: true })
    },
  })
  const errors = fieldErrors(setUp.error)
  const refused = formError(setUp.error, shownFields)

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    setUp.mutate({ secret, ...setupOf(new FormData(event.currentTarget)) })
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {refused === undefined ? null : <Problem error={refused} />}
        <PersonFields errors={errors} />
        <CompanyFields errors={errors} />
        <Button type="submit" loading={setUp.isPending}>
          Create the workspace
        </Button>
      </Stack>
    </form>
  )
}

function setupOf(form: FormData): Omit<Setup, 'secret'> {
  return {
    name: formText(form, 'name').trim(),
    email: formText(form, 'email').trim(),
    password: formText(form, 'password'),
    companyName: formText(form, 'companyName').trim(),
    slug: formText(form, 'slug').trim(),
    securityContactEmail: formText(form, 'securityContactEmail').trim(),
    timeZone: formText(form, 'timeZone'),
  }
}

type FieldsProps = { errors: Record<string, string> }

function PersonFields({ errors }: FieldsProps): ReactNode {
  return (
    <Fieldset legend="You">
      <Stack gap="sm">
        <TextInput name="name" label="Name" autoComplete="name" required autoFocus error={errors['name']} />
        <TextInput
          name="email"
          type="email"
          label="E-mail"
          autoComplete="email"
          required
          error={errors['email']}
        />
        <PasswordInput
          name="password"
          label="Password"
          description="12 characters or more."
          autoComplete="new-password"
          required
          minLength={12}
          maxLength={200}
          error={errors['password']}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        />
      </Stack>
    </Fieldset>
  )
}

function CompanyFields({ errors }: FieldsProps): ReactNode {
  const [typedSlug, setTypedSlug] = useState<string | undefined>(undefined)
  const [suggestedSlug, setSuggestedSlug] = useState('')
  return (
    <Fieldset legend="Company">
      <Stack gap="sm">
        <TextInput
          name="companyName"
          label="Company name"
          autoComplete="organization"
          required
          error={errors['companyName']}
          onChange={(event) => {
            setSuggestedSlug(suggestSlug(event.currentTarget.value))
          }}
        />
        <TextInput
          name="slug"
          label="Workspace address"
          description="a-z, 0-9 and dashes. It is part of public addresses and is fixed once the first advisory is published."
          required
          value={typedSlug ?? suggestedSlug}
          leftSection="/app/"
          leftSectionWidth={52}
          error={errors['slug']}
          onChange={(event) => {
            setTypedSlug(event.currentTarget.value)
          }}
        />
        <TextInput
          name="securityContactEmail"
          type="email"
          label="Security contact e-mail"
          description="Named to the public as the contact for vulnerabilities."
          required
          error={errors['securityContactEmail']}
        />
        <Select
          name="timeZone"
          label="Time zone"
          description="Deadlines and working days are counted in it."
          data={timeZones()}
          defaultValue={ownTimeZone()}
          searchable
          allowDeselect={false}
          required
          error={errors['timeZone']}
        />
      </Stack>
    </Fieldset>
  )
}

function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The zones this browser knows; some leave out UTC and the one they report as their own. */
function timeZones(): string[] {
  return [...new Set(['UTC', ownTimeZone(), ...Intl.supportedValuesOf('timeZone')])].sort()
}
