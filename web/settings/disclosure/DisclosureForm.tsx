import { Checkbox, NativeSelect, NumberInput, Stack, Textarea, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import {
  promiseDays,
  publicLanguages,
  type DisclosureSettings,
  type PublicLanguage,
} from '#contract/disclosure/shapes.ts'
import { changeDisclosureSettings, getDisclosureSettings } from '#contract/disclosure/operations.ts'
import { refusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useLatest } from '../../kit/api/use-latest.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Form } from '../../kit/form/Form.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { Card } from '../../kit/page/Card.tsx'
import { formatNoun } from '../../kit/text/format.ts'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'

const languageNames: Record<PublicLanguage, string> = { en: 'English', nb: 'Norwegian', de: 'German' }

type Typed = {
  publicContactEmail: string
  acknowledgeDays: string
  embargoDays: number | string
  languages: string[]
  families: string[]
  policy: string
  encryptionUrl: string
  canonicalUrl: string
}

function typedOf(settings: DisclosureSettings): Typed {
  return {
    publicContactEmail: settings.publicContactEmail ?? '',
    acknowledgeDays: String(settings.acknowledgeDays ?? ''),
    embargoDays: settings.embargoDays,
    languages: settings.languages,
    families: settings.families.filter(({ isOffered }) => isOffered).map(({ id }) => id),
    policy: settings.policy ?? '',
    encryptionUrl: settings.encryptionUrl ?? '',
    canonicalUrl: settings.canonicalUrl ?? '',
  }
}

/** What the public pages say; saved together. */
export function DisclosureForm({ settings }: { settings: DisclosureSettings }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const refused = refusal(workspace, 'manage_disclosure')
  const save = useAct({
    slug,
    send: ({ acknowledgeDays, embargoDays, ...typed }: Typed) =>
      call(changeDisclosureSettings, {
        params: { slug },
        body: {
          ...typed,
          acknowledgeDays: acknowledgeDays === '' ? null : Number(acknowledgeDays),
          embargoDays: Number(embargoDays),
        },
      }),
    done: () => 'The disclosure settings have been saved.',
  })
  const form = useSendForm<Typed, Typed>({
    initialValues: typedOf(settings),
    latest: useLatest(getDisclosureSettings, { params: { slug } }, typedOf),
    validate: ({ languages }) =>
      languages.length === 0 ? { languages: 'Choose at least one language.' } : {},
    inputOf: (typed) => typed,
    send: save,
  })
  return (
    <Card title="Public pages" aside={<ExternalLink href={settings.urls.policy}>Preview</ExternalLink>}>
      <fieldset disabled={refused !== undefined} style={{ border: 0, margin: 0, padding: 0 }}>
        <Form state={form.state} verb="Save" ready={refused === undefined}>
          <Contact form={form} settings={settings} />
          <Words form={form} />
          <Families form={form} settings={settings} />
          <Links form={form} />
        </Form>
      </fieldset>
    </Card>
  )
}

function Contact({ form, settings }: { form: Fields; settings: DisclosureSettings }): ReactNode {
  return (
    <>
      <TextInput
        {...form.getInputProps('publicContactEmail')}
        label="Public contact e-mail"
        description={visibleText(`Read by a person. Empty: ${settings.fallbackContactEmail}`)}
      />
      <NativeSelect
        {...form.getInputProps('acknowledgeDays')}
        label="Reports are acknowledged within"
        data={promises(settings.acknowledgeDays)}
      />
      <NumberInput
        {...form.getInputProps('embargoDays')}
        label="Days that finders are asked to wait before they publish"
        min={0}
        max={365}
        allowDecimal={false}
      />
    </>
  )
}

function Words({ form }: { form: Fields }): ReactNode {
  return (
    <>
      <Textarea
        {...form.getInputProps('policy')}
        label="Policy"
        description="Plain text in the company’s words. Empty: the service’s own text, in all three languages."
        autosize
        minRows={4}
        maxRows={20}
      />
      <Checkbox.Group
        {...form.getInputProps('languages')}
        label="Languages"
        description="The languages of the fixed texts. Visitors whose browser asks for none of them get the first one."
      >
        <Stack gap={6} mt={6}>
          {publicLanguages.map((language) => (
            <Checkbox key={language} value={language} label={languageNames[language]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  )
}

function Links({ form }: { form: Fields }): ReactNode {
  return (
    <>
      <TextInput
        {...form.getInputProps('encryptionUrl')}
        label="Link to a PGP key"
        description="https:, dns: or openpgp4fpr:. The link, never the key itself."
      />
      <TextInput
        {...form.getInputProps('canonicalUrl')}
        label="Canonical URL of your own security.txt"
        placeholder="https://www.example.com/.well-known/security.txt"
        description="Its origin is the publisher’s namespace in advisories. It must begin with https:// and should end in /.well-known/security.txt."
      />
    </>
  )
}

function promises(current: number | null): { value: string; label: string }[] {
  const days = current === null ? promiseDays : [...new Set([...promiseDays, current])].sort((a, b) => a - b)
  return [
    ...days.map((count) => ({ value: String(count), label: formatNoun(count, 'day') })),
    { value: '', label: 'No promise' },
  ]
}

type Fields = ReturnType<typeof useSendForm<Typed, Typed>>

function Families({ form, settings }: { form: Fields; settings: DisclosureSettings }): ReactNode {
  if (settings.families.length === 0) return null
  return (
    <Checkbox.Group
      {...form.getInputProps('families')}
      label="Families that the form offers"
      description="Their names become public. Without any, finders name the product in their own words."
    >
      <Stack gap={6} mt={6}>
        {settings.families.map(({ id, name }) => (
          <Checkbox key={id} value={id} label={visibleText(name)} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
