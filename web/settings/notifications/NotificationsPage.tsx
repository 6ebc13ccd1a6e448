import { Stack } from '@mantine/core'
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isAllowed } from '#contract/roles.ts'
import { destinationRefusal, refusal } from '../../workspaces/access.ts'
import { destinationsQuery } from './queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { NotificationsSearch } from '../area.ts'
import { pages } from '../../areas.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { AddDestinationModal } from './add/AddDestinationModal.tsx'
import { ProblemsSection } from './deliveries/ProblemsSection.tsx'
import { DestinationsSection } from './destinations/DestinationsSection.tsx'
import styles from './NotificationsPage.module.css'
import { noKeyReason } from './secret-words.tsx'
import { standstills } from './words.ts'
import { SettingsPage } from '../SettingsPage.tsx'
import { useSteps } from '../../kit/address/use-steps.ts'
import { present } from '../../kit/address/search.ts'

const about = 'Alerts are posted to chat channels and webhooks as they happen.'

/** Where alerts go besides mail, and what failed to arrive. */
export default function NotificationsPage(): ReactNode {
  const workspace = useWorkspace()
  if (isAllowed(workspace.role, 'see_deliveries')) return <Destinations />
  return (
    <SettingsPage title="Notifications" about={about}>
      <Empty
        why="Alert destinations and their deliveries are shown to owners, admins and leads."
        next={refusal(workspace, 'see_deliveries')}
      />
    </SettingsPage>
  )
}

function Destinations(): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const { dialog, failed } = useSearch({ from: '/signed-in/$slug/settings/notifications' })
  const list = useQuery(destinationsQuery(slug))
  const canStore = list.data?.canStore ?? true
  const place: NotificationsSearch = present({ failed })
  const { show } = useSteps(place, (next: NotificationsSearch) => pages.notifications(slug, next))
  const refused = destinationRefusal(workspace, 'Adding') ?? noKeyReason(canStore)
  const addButton = (
    <ActionButton
      leftSection={<IconPlus size={16} />}
      refused={refused}
      onClick={() => {
        show({ ...place, dialog: 'add' })
      }}
    >
      Add destination
    </ActionButton>
  )

  return (
    <SettingsPage title="Notifications" actions={addButton} about={<About canStore={canStore} />}>
      <Stack gap={32}>
        <DestinationsSection add={addButton} />
        <ProblemsSection />
      </Stack>
      <AddDestinationModal
        opened={dialog === 'add' && refused === undefined}
        onClose={() => {
          show(place)
        }}
      />
    </SettingsPage>
  )
}

/** What the page is for, or why nothing is posted. */
function About({ canStore }: { canStore: boolean }): ReactNode {
  const { state } = useWorkspace()
  const standstill = canStore
    ? standstills[state]?.sentence
    : 'Nothing can be added or posted: the service has no encryption key. The operator has to set one.'
  if (standstill === undefined) return about
  return (
    <span className={styles['standstill']}>
      <IconAlertTriangle size={16} aria-hidden />
      {standstill}
    </span>
  )
}
