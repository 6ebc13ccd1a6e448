import { Fieldset, Select, Stack, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { suggestSlug } from './slug-suggestion.ts'
import { timeZones } from '../kit/time/time-zones.ts'
import type { SendForm } from '../kit/form/use-send-form.ts'

/** The fields of a person and their company at sign-up. */
type Founder = {
  name: string
  email: string
  companyName: string
  slug: string
  securityContactEmail: string
  timeZone: string
}

/** A form that includes these fields. */
type CompanyForm = Pick<SendForm<Founder>, 'values' | 'getInputProps'> & {
  setFieldValue: (field: 'companyName' | 'slug', value: string) => void
}

export function trimmedCompany<Typed extends Founder>(typed: Typed): Typed {
  return {
    ...typed,
    name: typed.name.trim(),
    email: typed.email.trim(),
    companyName: typed.companyName.trim(),
    slug: typed.slug.trim(),
    securityContactEmail: typed.securityContactEmail.trim(),
  }
}

/** The fields of a company at sign-up. */
export function CompanyFields({ form }: { form: CompanyForm }): ReactNode {
  /** The address follows the name until it is edited. */
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
          description="Days and months of deadlines are counted in it."
          data={timeZones()}
          searchable
          allowDeselect={false}
          required
        />
      </Stack>
    </Fieldset>
  )
}
