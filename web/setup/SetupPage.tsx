import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { setupQuery } from './queries.ts'
import { useFragment } from '../kit/address/use-fragment.ts'
import { isFailure } from '../kit/api/request.ts'
import { pages } from '../areas.ts'
import { ButtonLink } from '../kit/text/links.tsx'
import { WaitingPage, WholePage } from '../kit/page/WholePage.tsx'
import { SetupForm } from './SetupForm.tsx'
import { QueryProblem } from '../kit/page/Loaded.tsx'

/** First run of an installation: creates the first owner and company. */
export default function SetupPage(): ReactNode {
  const secret = useFragment()
  const setup = useQuery(setupQuery(secret))
  if (setup.isPending) return <WaitingPage />
  if (setup.isError && !isFailure(setup.error, 'not_found')) {
    return (
      <WholePage title="Set up">
        <QueryProblem query={setup} />
      </WholePage>
    )
  }
  if (setup.data?.open !== true) return <UsedLink />
  return (
    <WholePage title="Set up SBOM Monitor">
      <Text c="dimmed">You will be the first owner. Everything except the address can be changed later.</Text>
      <SetupForm secret={secret} />
    </WholePage>
  )
}

function UsedLink(): ReactNode {
  return (
    <WholePage title="This set-up link is no longer valid">
      <Text>
        It was used, or replaced by a newer one. The service prints the newest link when it starts and has no
        members yet.
      </Text>
      <ButtonLink {...pages.signIn()} variant="default">
        Sign in
      </ButtonLink>
    </WholePage>
  )
}
