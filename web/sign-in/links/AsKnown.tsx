import { Button, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Session } from '#contract/people/sessions.ts'
import { signOut } from '#contract/people/operations/session.ts'
import { Problem } from '../../kit/page/Problem.tsx'
import { call } from '../../kit/api/call.ts'
import { sessionQuery } from '../session-query.ts'
import { useSend } from '../../kit/api/use-send.ts'
import { SignInSteps } from '../SignInSteps.tsx'

type Props = {
  /** The account of the link. */
  email: string
  /** Shown once the right person is signed in. */
  children: ReactNode
}

/** Asks the person to sign in to the link's account on this page: the link's secret must not be passed to another address. */
export function AsKnown({ email, children }: Props): ReactNode {
  const session = useQuery({ ...sessionQuery, retry: false })
  const queryClient = useQueryClient()
  if (session.isPending) return null
  if (session.data?.person.email.toLowerCase() === email.toLowerCase()) return children
  if (session.data !== undefined) return <OtherAccount email={email} known={session.data} />
  return (
    <>
      <Text>You have an account here. Sign in with {email} to continue.</Text>
      <SignInSteps
        email={email}
        onSignedIn={(fresh) => {
          queryClient.setQueryData(sessionQuery.queryKey, fresh)
        }}
      />
    </>
  )
}

function OtherAccount({ email, known }: { email: string; known: Session }): ReactNode {
  const queryClient = useQueryClient()
  const leaving = useSend({
    send: () => call(signOut, {}),
    onSuccess: () => queryClient.resetQueries({ queryKey: sessionQuery.queryKey }),
  })
  return (
    <>
      <Text>
        This link is for {email}, and you are signed in as {known.person.email}.
      </Text>
      <Problem error={leaving.error} />
      <Button
        variant="default"
        loading={leaving.isPending}
        onClick={() => {
          leaving.mutate()
        }}
      >
        Sign out and continue as {email}
      </Button>
    </>
  )
}
