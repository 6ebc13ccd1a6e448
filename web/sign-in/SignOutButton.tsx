import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { signOut } from '#contract/people/operations/session.ts'
import { call } from '../kit/api/call.ts'
import { useLeaving } from './use-leaving.ts'
import { Problem } from '../kit/page/Problem.tsx'

/** Signs out a person whose only way on from this page it is. */
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
