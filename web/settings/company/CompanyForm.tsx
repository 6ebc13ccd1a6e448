import { Select, Stack, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { changeCompany, getCompany, type CompanySettings } from '#contract/workspace/company-operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { refusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { sessionQuery } from '../../sign-in/session-query.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useLatest } from '../../kit/api/use-latest.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { AllowedForm } from '../../kit/form/AllowedForm.tsx'
import { pages } from '../../areas.ts'
import { timeZones } from '../../kit/time/time-zones.ts'
import { useSendForm, type SendForm } from '../../kit/form/use-send-form.ts'
import { Card } from '../../kit/page/Card.tsx'
import { UnusableContact } from '../UnusableContact.tsx'

type Typed = Omit<CompanySettings, 'slugFrozenAt'>
type Body = BodyOf<typeof changeCompany>

export function CompanyForm({ settings }: { settings: CompanySettings }): ReactNode {
  const workspace = useWorkspace()
  const refused = refusal(workspace, changeCompany.permission)
  const form = useCompanyForm(settings)
  return (
    <AllowedForm state={form.state} verb="Save" refused={refused}>
      <Card title="Company">
        <Stack gap="sm">
          <UnusableContact address={settings.securityContactEmail} />
          <NameFields form={form} />
          <AddressField form={form} isFrozen={settings.slugFrozenAt !== null} />
        </Stack>
      </Card>
      <Card title="Time">
        <Select
          {...form.getInputProps('timeZone')}
          label="Time zone"
          description="Deadlines that begin from now on count days and months in it. Running deadlines keep their time."
          data={timeZones(settings.timeZone)}
          searchable
          allowDeselect={false}
          disabled={refused !== undefined}
          required
          maw={420}
        />
      </Card>
    </AllowedForm>
  )
}

function typedOf({ slugFrozenAt: _frozen, ...settings }: CompanySettings): Typed {
  return settings
}

/** The application's address contains the slug: after a change the page continues under the new one. */
function useCompanyForm(settings: CompanySettings): SendForm<Typed> {
  const { slug } = useWorkspace()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useSendForm<Typed, Body>({
    initialValues: typedOf(settings),
    latest: useLatest(getCompany, { params: { slug } }, typedOf),
    inputOf: (typed) => typed,
    send: useAct({
      slug,
      send: (body: Body) => call(changeCompany, { params: { slug }, body }),
      done: () => 'The settings are saved.',
      onDone: async (saved: CompanySettings) => {
        await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
        if (saved.slug !== slug) await navigate({ ...pages.company(saved.slug), replace: true })
      },
    }),
  })
}

function NameFields({ form }: { form: SendForm<Typed> }): ReactNode {
  return (
    <>
      <TextInput
        {...form.getInputProps('companyName')}
        label="Company name"
        autoComplete="organization"
        maxLength={200}
        required
      />
      <TextInput
        {...form.getInputProps('securityContactEmail')}
        type="email"
        label="Security contact e-mail"
        description="Published as the contact for vulnerability reports, unless the disclosure settings name another one."
        maxLength={254}
        required
      />
    </>
  )
}

const changeable =
  'It appears in public URLs, so links with the old one stop working. It can change until the first advisory is published.'
const frozen = 'It is part of the addresses in published advisories and can no longer change.'

function AddressField({ form, isFrozen }: { form: SendForm<Typed>; isFrozen: boolean }): ReactNode {
  return (
    <TextInput
      {...form.getInputProps('slug')}
      label="Workspace address"
      description={isFrozen ? frozen : changeable}
      leftSection="/app/"
      leftSectionWidth={52}
      maxLength={40}
      readOnly={isFrozen}
      aria-readonly={isFrozen}
      variant={isFrozen ? 'filled' : 'default'}
      required={!isFrozen}
    />
  )
}
