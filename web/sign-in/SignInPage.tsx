import { Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { signUpOfferQuery } from './queries.ts'
import { sessionQuery } from './session-query.ts'
import { returnPath } from './area.ts'
import { pages } from '../areas.ts'
import { WaitingPage, WholePage } from '../kit/page/WholePage.tsx'
import { TextLink } from '../kit/text/links.tsx'
import { SignInSteps } from './SignInSteps.tsx'
import { useGoOn } from './use-go-on.ts'

/** Signing in; a link that was followed while signed out opens afterwards. */
export default function SignInPage(): ReactNode {
  const session = useQuery({ ...sessionQuery, retry: false })
  const queryClient = useQueryClient()
  // Checked again where it is used: the address bar is untrusted, and this value decides where the browser goes.
  const next = returnPath(useSearch({ from: '/sign-in' }).next)
  if (session.isSuccess) return <GoOn next={next} />
  return (
    <WholePage title="Sign in">
      <SignInSteps
        next={next}
        onSignedIn={(fresh) => {
          queryClient.removeQueries({ queryKey: ['workspace'] })
          queryClient.setQueryData(sessionQuery.queryKey, fresh)
        }}
      />
      <OtherWays />
    </WholePage>
  )
}

/** For people without a password. */
function OtherWays(): ReactNode {
  const offer = useQuery(signUpOfferQuery)
  return (
    <Group justify="space-between" gap="xs">
      <TextLink {...pages.forgotten()}>Forgotten password</TextLink>
      {offer.data?.isOpen === true ? <TextLink {...pages.signUp()}>Sign up</TextLink> : null}
    </Group>
  )
}

function GoOn({ next }: { next: string | undefined }): ReactNode {
  const goOn = useGoOn()
  useEffect(() => {
    goOn(next)
  }, [goOn, next])
  return <WaitingPage />
}
