import { visibleText } from '#contract/hidden-characters.ts'
import { NavLink, Stack, Text } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Session } from '#contract/people/sessions.ts'
import { sessionQuery } from '../sign-in/session-query.ts'
import { lastWorkspace } from './last-workspace.ts'
import { pages } from '../areas.ts'
import { WholePage } from '../kit/page/WholePage.tsx'
import { ButtonLink } from '../kit/text/links.tsx'
import { SignOutButton } from '../sign-in/SignOutButton.tsx'

/** Opens the only workspace, or the last one used; asks otherwise. */
export default function ChooserPage(): ReactNode {
  const { workspaces } = useSuspenseQuery(sessionQuery).data
  const slug = obviousWorkspace(workspaces)
  if (slug !== undefined) return <Navigate {...pages.dashboard(slug)} replace />
  if (workspaces.length === 0) return <NoWorkspace />
  return (
    <WholePage title="Choose a workspace">
      <Stack gap={2}>
        {workspaces.map((workspace) => (
          <NavLink
            key={workspace.slug}
            renderRoot={(props) => <Link {...pages.dashboard(workspace.slug)} {...props} />}
            label={visibleText(workspace.companyName)}
            description={workspace.role}
            rightSection={<IconChevronRight size={16} aria-hidden />}
          />
        ))}
      </Stack>
    </WholePage>
  )
}

/** For people who left or were removed: they keep their account. */
function NoWorkspace(): ReactNode {
  return (
    <WholePage title="No workspace">
      <Text>
        You are not a member of any workspace. Ask an owner or admin of your company for an invitation.
      </Text>
      <ButtonLink {...pages.account()} variant="default">
        Account and security
      </ButtonLink>
      <SignOutButton />
    </WholePage>
  )
}

function obviousWorkspace(workspaces: Session['workspaces']): string | undefined {
  if (workspaces.length === 1) return workspaces[0]?.slug
  const last = lastWorkspace()
  return workspaces.find(({ slug }) => slug === last)?.slug
}
