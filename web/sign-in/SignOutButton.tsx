import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { signOut } from '#contract/people/operations/session.ts'
import { call } from '../kit/api/call.ts'
import { useLeaving } from './use-leaving.ts'
import { Problem } from '../kit/page/Problem.tsx'

/** Ends the session of somebody who can go nowhere else from this page. */
export function SignOutButton(): ReactNode {
  const leaving = useLeaving(() => call(signOut, {}))
  return (
    <>
      <Problem error={leaving.error} />
      <Button
        variant="default"
        loading={leaving.isPending}
        onClick={() => {
          leaving.mutate()
        }}
      >
        Sign out
      </Button>
    </>
  )
}
