import { Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { signUpOfferQuery } from '../../api/people/people-queries.ts'
import { sessionQuery } from '../../api/queries.ts'
import { returnPath } from '../../page-search.ts'
import { pages } from '../../paths.ts'
import { WaitingPage, WholePage } from '../../ui/page/WholePage.tsx'
import { TextLink } from '../../ui/text/links.tsx'
import { SignInSteps } from './SignInSteps.tsx'

/** Signing in; a link that was followed while signed out opens afterwards. */
export default function SignInPage(): ReactNode {
  const session = useQuery({ ...sessionQuery, retry: false })
  const queryClient = useQueryClient()
  if (session.isSuccess) return <GoOn />
  return (
    <WholePage title="Sign in">
      <SignInSteps
        onSignedIn={(fresh) => {
          queryClient.removeQueries({ queryKey: ['workspace'] })
          queryClient.setQueryData(sessionQuery.queryKey, fresh)
        }}
      />
      <OtherWays />
    </WholePage>
  )
}

/** For who has no password to type. */
function OtherWays(): ReactNode {
  const offer = useQuery(signUpOfferQuery)
  return (
    <Group justify="space-between" gap="xs">
      <TextLink {...pages.forgotten()}>Forgotten password</TextLink>
      {offer.data?.isOpen === true ? <TextLink {...pages.signUp()}>Sign up</TextLink> : null}
    </Group>
  )
}

function GoOn(): ReactNode {
  // Judged again where it is used: the address bar is foreign text, and this value decides where the browser goes.
  const next = returnPath(useSearch({ from: '/sign-in' }).next)
  const router = useRouter()
  useEffect(() => {
    if (next === undefined) void router.navigate({ ...pages.home(), replace: true })
    else router.history.replace(`${router.basepath}${next}`)
  }, [router, next])
  return <WaitingPage />
}
