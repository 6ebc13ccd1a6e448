import { Checkbox, PasswordInput, Stack, Switch, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { changeSignInSettings, removeIssuer, setIssuer } from '#contract/people/operations/sign-in.ts'
import type { SignInSettings } from '#contract/people/sign-in.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ConfirmedButton } from '../../kit/actions/ConfirmedButton.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { Card } from '../../kit/page/Card.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { CopyText } from '../../kit/text/CopyText.tsx'
import { formatNoun } from '../../kit/text/format.ts'

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

type Issuer = { issuer: string; clientId: string; clientSecret: string | null }

function IssuerForm({ settings: { company } }: { settings: SignInSettings }): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: {
      issuer: company?.issuer ?? '',
      clientId: company?.clientId ?? '',
      clientSecret: '',
      hasNoSecret: company?.hasSecret === false,
    },
    follows: true,
    inputOf: ({ issuer, clientId, clientSecret, hasNoSecret }): Issuer => ({
      issuer: issuer.trim(),
      clientId: clientId.trim(),
      clientSecret: hasNoSecret ? null : clientSecret,
    }),
    send: useAct({
      slug,
      send: (body: Issuer) => call(setIssuer, { params: { slug }, body }),
      done: () => 'The issuer is set.',
      onDone: () => {
        form.setFieldValue('clientSecret', '')
      },
    }),
  })
  const { hasNoSecret } = form.values
  return (
    <Form state={form.state} verb="Save the issuer">
      <TextInput
        {...form.getInputProps('issuer')}
        label="Issuer"
        placeholder="https://login.acme.example"
        required
      />
      <TextInput {...form.getInputProps('clientId')} label="Client id" autoComplete="off" required />
      {/* Marked as not the person's own password: a browser would fill that in. */}
      <PasswordInput
        {...form.getInputProps('clientSecret')}
        label="Client secret"
        description={company?.hasSecret === true ? storedWords : 'As the issuer gives it.'}
        autoComplete="new-password"
        required={!hasNoSecret}
        disabled={hasNoSecret}
        visibilityToggleButtonProps={{ 'aria-label': 'Show: Client secret' }}
      />
      <Checkbox
        {...form.getInputProps('hasNoSecret', { type: 'checkbox' })}
        label="The client has no secret"
        description="Only PKCE protects the sign-in then."
      />
    </Form>
  )
}

const storedWords = 'One is stored and never shown. Enter it again whenever you save the issuer.'

function RequireSwitch({ settings }: { settings: SignInSettings }): ReactNode {
  const { slug, mail } = useWorkspace()
  const change = useAct({
    slug,
    send: (requiresSingleSignOn: boolean) =>
      call(changeSignInSettings, { params: { slug }, body: { requiresSingleSignOn } }),
    done: () => 'The setting is saved.',
  })
  return (
    <Stack gap="sm" align="flex-start">
      <Problem error={change.error} />
      <Switch
        checked={settings.requiresSingleSignOn}
        disabled={change.isPending}
        onChange={(event) => {
          change.mutate(event.currentTarget.checked)
        }}
        label="Members can sign in only with the company"
        description={`Whoever signed in another way is asked to sign in with the company at once. Owners can still sign in on their own. ${formatNoun(settings.linked, 'account has', 'accounts have')} signed in with the company so far.`}
      />
      <ConfirmedButton
        title="Remove the issuer?"
        consequence={`Sessions that it opened end, and nobody can sign in with the company. Members need a password or a passkey of their own; those without one ${mail.goesNowhere ? 'ask the operator of this service for a link to choose a password: no mail server is configured' : 'reset their password by mail'}.`}
        verb="Remove the issuer"
        final
        act={{
          send: () => call(removeIssuer, { params: { slug } }),
          done: () => 'The issuer is removed. Sessions that it opened have ended.',
        }}
      >
        Remove the issuer
      </ConfirmedButton>
    </Stack>
  )
}
