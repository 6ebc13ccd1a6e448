import { Button, NavLink, Stack, Text } from '@mantine/core'
import { IconBuilding, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams, type ErrorComponentProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { useCompanySignIn } from './company-sign-in.ts'
import { sessionQuery } from './session-query.ts'
import { isFailure } from '../kit/api/request.ts'
import { pages } from '../areas.ts'
import { Problem } from '../kit/page/Problem.tsx'
import { SignOutButton } from './SignOutButton.tsx'
import { FailedPage, WholePage } from '../kit/page/WholePage.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { TextLink } from '../kit/text/links.tsx'

/** Shown instead of a workspace that cannot be opened. */
export function WorkspaceFailed(props: ErrorComponentProps): ReactNode {
  return isFailure(props.error, 'single_sign_on_required') ? <CompanyRequired /> : <FailedPage {...props} />
}

/** The way into a workspace that requires company sign-in; the requested page opens afterwards. */
function CompanyRequired(): ReactNode {
  const { slug } = useParams({ from: '/signed-in/$slug' })
  const here = useLocation({ select: ({ href }) => href })
  const workspaces = useQuery(sessionQuery).data?.workspaces ?? []
  const company = workspaces.find((workspace) => workspace.slug === slug)?.companyName ?? slug
  const going = useCompanySignIn(here)
  return (
    <WholePage title="Sign in with your company">
      <Text>
        <Foreign>{company}</Foreign> asks its members to sign in with the company. You are signed in another
        way.
      </Text>
      <Problem error={going.error} />
      <Button
        leftSection={<IconBuilding size={16} aria-hidden />}
        loading={going.isPending}
        onClick={() => {
          going.mutate(slug)
        }}
      >
        Sign in with your company
      </Button>
      <OtherWorkspaces workspaces={workspaces.filter((workspace) => workspace.slug !== slug)} />
      <Elsewhere />
    </WholePage>
  )
}

type OthersProps = { workspaces: { slug: string; companyName: string }[] }

function OtherWorkspaces({ workspaces }: OthersProps): ReactNode {
  if (workspaces.length === 0) return null
  return (
    <nav aria-label="Your other workspaces">
      <Text c="dimmed" size="sm">
        Your other workspaces
      </Text>
      {workspaces.map(({ slug, companyName }) => (
        <NavLink
          key={slug}
          renderRoot={(props) => <Link {...pages.dashboard(slug)} {...props} />}
          label={visibleText(companyName)}
          rightSection={<IconChevronRight size={16} aria-hidden />}
        />
      ))}
    </nav>
  )
}

function Elsewhere(): ReactNode {
  return (
    <Stack gap="xs" align="flex-start">
      <TextLink {...pages.account()}>Account and security</TextLink>
      <SignOutButton />
    </Stack>
  )
}
