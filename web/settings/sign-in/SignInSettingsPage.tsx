import { Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { changeSignInSettings } from '#contract/people/operations/sign-in.ts'
import type { SignInSettings } from '#contract/people/sign-in.ts'
import { Loaded } from '../../kit/page/Loaded.tsx'
import { reportingRefusal } from '../../workspaces/access.ts'
import { signInSettingsQuery } from '../queries.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Card } from '../../kit/page/Card.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { formatNoun } from '../../kit/text/format.ts'
import { CompanyCard } from './CompanyCard.tsx'
import { DomainsCard } from './DomainsCard.tsx'
import { SettingsPage } from '../SettingsPage.tsx'

/** How members sign in. */
export default function SignInSettingsPage(): ReactNode {
  const workspace = useWorkspace()
  const refused = reportingRefusal(workspace, changeSignInSettings.permission)
  return (
    <SettingsPage title="Sign-in" about="What members need to get into this workspace.">
      {refused === undefined ? <Settings /> : <Text c="dimmed">{refused}</Text>}
    </SettingsPage>
  )
}

function Settings(): ReactNode {
  const { slug } = useWorkspace()
  const settings = useQuery(signInSettingsQuery(slug))
  return (
    <Loaded query={settings}>
      {(known) => (
        <Stack gap="md" maw={860}>
          <SecondFactorCard settings={known} />
          <CompanyCard settings={known} />
          <DomainsCard domains={known.domains} />
        </Stack>
      )}
    </Loaded>
  )
}

function SecondFactorCard({ settings }: { settings: SignInSettings }): ReactNode {
  const { slug } = useWorkspace()
  const { requiresSecondFactor, withoutSecondFactor } = settings
  const change = useAct({
    slug,
    send: (requires: boolean) =>
      call(changeSignInSettings, { params: { slug }, body: { requiresSecondFactor: requires } }),
    done: (requires) =>
      requires ? 'A second factor is required from now on.' : 'A second factor is no longer required.',
  })
  return (
    <Card title="Second factor">
      <Stack gap="sm">
        <Problem error={change.error} />
        <Switch
          checked={requiresSecondFactor}
          disabled={change.isPending}
          onChange={(event) => {
            change.mutate(event.currentTarget.checked)
          }}
          label="Every member needs a second factor"
          description="An authenticator app or a passkey. Members without one reach only the page of their own account, where they set it up. API tokens keep working."
        />
        <Text fz={13}>
          {withoutSecondFactor === 0
            ? 'Every member has one.'
            : `${formatNoun(withoutSecondFactor, 'member has', 'members have')} none so far.`}
        </Text>
      </Stack>
    </Card>
  )
}
