import { Foreign } from '../kit/text/Foreign.tsx'
import { Divider, Text } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sessionQuery } from '../sign-in/session-query.ts'
import { pages } from '../areas.ts'
import { Notice } from '../kit/page/Notice.tsx'
import { ButtonLink } from '../kit/text/links.tsx'
import { WholePage } from '../kit/page/WholePage.tsx'
import { TimeZoneProvider } from '../kit/time/time-zone.ts'
import { Passkeys } from './Passkeys.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { RequiredFactor } from './RequiredFactor.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { EmailForm } from './EmailForm.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { Sessions } from './Sessions.tsx'

/** A person's own account, whichever workspaces they belong to. */
export default function AccountPage(): ReactNode {
  const { person, openedBy } = useSuspenseQuery(sessionQuery).data
  return (
    <TimeZoneProvider value={person.timeZone ?? undefined}>
      <WholePage title="Account and security">
        <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <Foreign>{person.name}</Foreign> · {person.email}
        </Text>
        {openedBy === null ? null : (
          <Notice Icon={IconBuilding}>
            <Text>
              You signed in with your company. To change your e-mail address, your password or how you sign
              in, sign in with your own password or passkey first.
            </Text>
          </Notice>
        )}
        <RequiredFactor />
        <ProfileForm person={person} />
        <Divider />
        <EmailForm />
        <Divider />
        <PasswordForm email={person.email} />
        <Divider />
        <SecondFactor />
        <Divider />
        <Passkeys />
        <Divider />
        <Sessions />
        <Divider />
        <ButtonLink {...pages.home()} variant="default">
          Back to the workspace
        </ButtonLink>
      </WholePage>
    </TimeZoneProvider>
  )
}
