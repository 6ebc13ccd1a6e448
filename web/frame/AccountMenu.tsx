import { signOut } from '#contract/people/operations/session.ts'
import { tellRefusal } from '../kit/api/tell-refusal.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { ActionIcon, Menu, Text } from '@mantine/core'
import { IconBell, IconBook, IconLogout, IconShieldLock, IconUserCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { sessionQuery } from '../sign-in/session-query.ts'
import { call } from '../kit/api/call.ts'
import { useLeaving } from '../sign-in/use-leaving.ts'
import { pages } from '../areas.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'

export function AccountMenu(): ReactNode {
  const person = useQuery(sessionQuery).data?.person
  const { role, slug } = useWorkspace()
  const leaving = useLeaving(() => call(signOut, {}))
  return (
    <Menu width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Account">
          <IconUserCircle size={20} stroke={1.7} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div style={{ padding: '6px 12px 8px' }}>
          <Text fw={500}>
            <Foreign>{person?.name ?? ''}</Foreign>
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {person?.email} · {role}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconShieldLock size={16} />}
          renderRoot={(props) => <Link {...pages.account()} {...props} />}
        >
          Account and security
        </Menu.Item>
        <Menu.Item
          leftSection={<IconBell size={16} />}
          renderRoot={(props) => <Link {...pages.notices(slug)} {...props} />}
        >
          Your notifications
        </Menu.Item>
        <Menu.Item component="a" href="/docs" target="_blank" leftSection={<IconBook size={16} />}>
          Documentation
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} />}
          disabled={leaving.isPending}
          onClick={() => {
            leaving.mutate(undefined, { onError: tellRefusal })
          }}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
