import { Stack, Text } from '@mantine/core'
import { IconKeyOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isAllowed } from '#contract/roles.ts'
import { refusal } from '../../workspaces/access.ts'
import { disclosureQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Card } from '../../kit/page/Card.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { Notice } from '../../kit/page/Notice.tsx'
import { PageHeader } from '../../kit/page/PageHeader.tsx'
import { PageSkeleton } from '../../kit/page/PageSkeleton.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { FullRoom } from '../../inbox/FullRoom.tsx'
import { SettingsNav } from '../SettingsNav.tsx'
import { UnusableContact } from '../UnusableContact.tsx'
import { formatBytes } from '../../kit/text/format.ts'
import { DisclosureForm } from './DisclosureForm.tsx'
import { SecurityTxtCard } from './SecurityTxtCard.tsx'

const about = 'How people outside report vulnerabilities to the company, and what it promises them.'

/** Contact, policy, promise and security.txt. */
export default function DisclosurePage(): ReactNode {
  const workspace = useWorkspace()
  return (
    <>
      <PageHeader title="Disclosure" crumbs={[{ name: 'Settings' }]} about={about} />
      <SettingsNav />
      {isAllowed(workspace.role, 'manage_disclosure') ? (
        <Settings />
      ) : (
        <Empty
          why="The disclosure settings are shown to owners, admins and leads."
          next={refusal(workspace, 'manage_disclosure')}
        />
      )}
    </>
  )
}

function Settings(): ReactNode {
  const { slug } = useWorkspace()
  const settings = useQuery(disclosureQuery(slug))
  if (settings.data === undefined) {
    if (settings.error === null) return <PageSkeleton />
    return (
      <Problem
        error={settings.error}
        onRetry={() => {
          void settings.refetch()
        }}
      />
    )
  }
  return (
    <Stack gap="lg" maw={860}>
      {settings.data.canReceive ? null : (
        <Notice Icon={IconKeyOff}>
          The report form is closed: the service has no usable encryption key. The operator has to set one.
        </Notice>
      )}
      <UnusableContact
        address={settings.data.publicContactEmail ?? settings.data.fallbackContactEmail}
        isCompanys={settings.data.publicContactEmail === null}
      />
      <FullRoom files={settings.data.files} />
      <DisclosureForm settings={settings.data} />
      <SecurityTxtCard settings={settings.data} />
      <Card title="Files of reports">
        <Text>
          {formatBytes(settings.data.files.usedBytes)} of {formatBytes(settings.data.files.mostBytes)} are
          used. When there is no room left, the form takes reports without files. Files go with their report:
          three years after it was closed, when it is erased, and with spam after 30 days.
        </Text>
      </Card>
    </Stack>
  )
}
