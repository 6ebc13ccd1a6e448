import { Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isFailure } from '../../kit/api/request.ts'
import { pages } from '../../areas.ts'
import { WaitingPage, WholePage } from '../../kit/page/WholePage.tsx'
import { ButtonLink } from '../../kit/text/links.tsx'
import { QueryProblem } from '../../kit/page/Loaded.tsx'

type Props<State> = {
  title: string
  state: UseQueryResult<State>
  children: (state: State) => ReactNode
}

/** The target of an e-mail link: what it is about, or that it has expired. */
export function LinkPage<State>({ title, state, children }: Props<State>): ReactNode {
  if (state.isPending) return <WaitingPage />
  if (state.isSuccess) return <WholePage title={title}>{children(state.data)}</WholePage>
  if (isFailure(state.error, 'not_found')) return <EndedLink />
  return (
    <WholePage title={title}>
      <QueryProblem query={state} />
    </WholePage>
  )
}

export function EndedLink(): ReactNode {
  return (
    <WholePage title="This link is no longer valid">
      <Text>
        It was used, replaced by a newer one, or has expired. The newest message has the one that works.
      </Text>
      <ButtonLink {...pages.signIn()} variant="default">
        Sign in
      </ButtonLink>
    </WholePage>
  )
}
