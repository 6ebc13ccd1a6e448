import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import {
  changeSignInSettings,
  removeIssuer,
  setIssuer,
} from '../../../../src/contract/operations/people/sign-in.ts'
import type { SignInSettings } from '../../../../src/contract/people/sign-in.ts'
import { call } from '../../../api/call.ts'
import { useAct } from '../../../api/use-act.ts'
import { useWorkspace } from '../../../frame/use-workspace.ts'
import { Form } from '../../../ui/form/Form.tsx'
import { PasswordField } from '../../../ui/form/PasswordField.tsx'
import { useSendForm } from '../../../ui/form/use-send-form.ts'
import { Card } from '../../../ui/page/Card.tsx'
import { Problem } from '../../../ui/page/Problem.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'

/** The company's own sign-in. */
export function CompanyCard({ settings }: { settings: SignInSettings }): ReactNode {
  return (
    <Card title="Sign in with your company">
      <Stack gap="md">
        <Text fz={13}>
          Members sign in with the OpenID Connect issuer of the company: Entra ID, Okta, Google Workspace,
          Keycloak and others. Register this service there as a web application with this redirect address:
        </Text>
        <CopyText text={settings.redirectUri} what="redirect address" />
        <IssuerForm settings={settings} />
        {settings.company === null ? null : <RequireSwitch settings={settings} />}
      </Stack>
    </Card>
  )
}

type Typed = { issuer: string; clientId: string; clientSecret: string | null }

function IssuerForm({ settings: { company } }: { settings: SignInSettings }): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { issuer: company?.issuer ?? '', clientId: company?.clientId ?? '', clientSecret: '' },
    inputOf: ({ clientSecret, ...typed }): Typed => ({
      ...typed,
      clientSecret: clientSecret === '' ? null : clientSecret,
    }),
    send: useAct({
      slug,
      send: (body: Typed) => call(setIssuer, { params: { slug }, body }),
      done: () => 'The issuer is set.',
    }),
  })
  const secretWords =
    company?.hasSecret === true
      ? 'One is stored. Saving replaces it by what is typed here; nothing typed: the client has none.'
      : 'As the issuer gives it. A client without one is protected by PKCE alone.'
  return (
    <Form state={form.state} verb="Save the issuer">
      <TextInput
        {...form.getInputProps('issuer')}
        label="Issuer"
        placeholder="https://login.acme.example"
        required
      />
      <TextInput {...form.getInputProps('clientId')} label="Client id" required />
      <PasswordField
        {...form.getInputProps('clientSecret')}
        label="Client secret"
        description={secretWords}
        required={false}
      />
    </Form>
  )
}

function RequireSwitch({ settings }: { settings: SignInSettings }): ReactNode {
  const { slug } = useWorkspace()
  const change = useAct({
    slug,
    send: (requiresSingleSignOn: boolean) =>
      call(changeSignInSettings, { params: { slug }, body: { requiresSingleSignOn } }),
    done: () => 'The setting is saved.',
  })
  const remove = useAct({
    slug,
    send: () => call(removeIssuer, { params: { slug } }),
    done: () => 'The issuer is removed. Sessions that it opened have ended.',
  })
  const error = change.error ?? remove.error
  return (
    <Stack gap="sm">
      {error === null ? null : <Problem error={error} />}
      <Switch
        checked={settings.requiresSingleSignOn}
        disabled={change.isPending}
        onChange={(event) => {
          change.mutate(event.currentTarget.checked)
        }}
        label="Members come in with the company alone"
        description={`Owners keep their own way in. ${settings.linked} ${settings.linked === 1 ? 'account has' : 'accounts have'} signed in with the company so far.`}
      />
      <Group>
        <Button
          variant="default"
          loading={remove.isPending}
          onClick={() => {
            remove.mutate()
          }}
        >
          Remove the issuer
        </Button>
      </Group>
    </Stack>
  )
}
