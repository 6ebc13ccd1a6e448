import { Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import type { Session } from '#contract/people/sessions.ts'
import { sessionQuery } from './session-query.ts'
import { settleSessionEnd, useSessionEnded } from '../kit/api/session-end.ts'
import { pages } from '../areas.ts'
import { useFocusBack } from '../kit/form/use-focus-back.ts'
import { useIsTopmost } from '../kit/form/use-is-topmost.ts'
import { LeaveGuard } from '../kit/unsaved/LeaveGuard.tsx'
import { giveUpTyped } from '../kit/unsaved/unsent.ts'
import { ConfirmIdentity } from './ConfirmIdentity.tsx'
import { SignInSteps } from './SignInSteps.tsx'

/** Above page dialogs, below messages. */
const zIndex = 300

/** Wraps every page of a signed-in person. When the session ends, the page stays and a sign-in dialog opens on top of it. */
export function SignedIn(): ReactNode {
  return (
    <>
      <Outlet />
      <SignInAgain />
      <LeaveGuard />
      <ConfirmIdentity />
    </>
  )
}

function SignInAgain(): ReactNode {
  const isEnded = useSessionEnded()
  useFocusBack(isEnded)
  useIsTopmost(isEnded)
  const queryClient = useQueryClient()
  const router = useRouter()
  const here = useLocation({ select: ({ href }) => href })
  const before = queryClient.getQueryData(sessionQuery.queryKey)

  // Leaving these pages cancels the sign-in dialog.
  useEffect(
    () => () => {
      settleSessionEnd(false)
    },
    [],
  )

  function goOn(session: Session): void {
    // The page and its typed text belong to the previous person.
    if (session.person.id !== before?.person.id) {
      giveUpTyped()
      window.location.reload()
      return
    }
    queryClient.setQueryData(sessionQuery.queryKey, session)
    settleSessionEnd(true)
    void queryClient.invalidateQueries()
  }

  function leave(): void {
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
    void router.navigate(pages.signIn(router.state.location.href))
  }

  return (
    <Modal
      opened={isEnded}
      onClose={leave}
      title="Sign in again"
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      zIndex={zIndex}
    >
      <Stack gap="md">
        <Text>Your session has ended. The page stays as it is, and nothing you typed is lost.</Text>
        <SignInSteps
          {...(before === undefined ? {} : { email: before.person.email })}
          next={here}
          onSignedIn={goOn}
          onLeave={leave}
        />
      </Stack>
    </Modal>
  )
}
