import { Stack, Text } from '@mantine/core'
import { IconKeyOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { DisclosureSettings } from '#contract/disclosure/shapes.ts'
import { isAllowed } from '#contract/roles.ts'
import { refusal } from '../../workspaces/access.ts'
import { disclosureQuery } from '../queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Card } from '../../kit/page/Card.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { Notice } from '../../kit/page/Notice.tsx'
import { FullRoom } from '../../inbox/FullRoom.tsx'
import { UnusableContact } from '../UnusableContact.tsx'
import { formatBytes } from '../../kit/text/format.ts'
import { DisclosureForm } from './DisclosureForm.tsx'
import { SecurityTxtCard } from './SecurityTxtCard.tsx'
import { Loaded } from '../../kit/page/Loaded.tsx'
import { SettingsPage } from '../SettingsPage.tsx'

const about = 'How people outside report vulnerabilities to the company, and what it promises them.'

/** Contact, policy, promise and security.txt. */
export default function DisclosurePage(): ReactNode {
  const workspace = useWorkspace()
  return (
    <SettingsPage title="Disclosure" about={about}>
      {isAllowed(workspace.role, 'manage_disclosure') ? (
        <Settings />
      ) : (
        <Empty
          why="The disclosure settings are shown to owners, admins and leads."
          next={refusal(workspace, 'manage_disclosure')}
        />
      )}
    </SettingsPage>
  )
}

function Settings(): ReactNode {
  const { slug } = useWorkspace()
  const settings = useQuery(disclosureQuery(slug))
  return <Loaded query={settings}>{(known) => <Cards settings={known} />}</Loaded>
}

function Cards({ settings }: { settings: DisclosureSettings }): ReactNode {
  return (
    <Stack gap="lg" maw={860}>
      {settings.canReceive ? null : (
        <Notice Icon={IconKeyOff}>
          The report form is closed: the service has no usable encryption key. The operator has to set one.
        </Notice>
      )}
      <UnusableContact
        address={settings.publicContactEmail ?? settings.fallbackContactEmail}
        isCompanys={settings.publicContactEmail === null}
      />
      <FullRoom files={settings.files} />
      <DisclosureForm settings={settings} />
      <SecurityTxtCard settings={settings} />
      <Card title="Files of reports">
        <Text>
          {formatBytes(settings.files.usedBytes)} of {formatBytes(settings.files.maxBytes)} are used. When
          there is no room left, the form takes reports without files. Files go with their report: three years
          after it was closed, when it is erased, and with spam after 30 days.
        </Text>
      </Card>
    </Stack>
  )
}
