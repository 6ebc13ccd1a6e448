import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { completeCompanySignIn } from '#contract/people/operations/sign-in.ts'
import { call } from '../kit/api/call.ts'
import { pageToComeBackTo } from './company-sign-in.ts'
import { isFailure } from '../kit/api/request.ts'
import { sessionQuery } from './session-query.ts'
import { useSend } from '../kit/api/use-send.ts'
import { pages } from '../areas.ts'
import { Problem } from '../kit/page/Problem.tsx'
import { WholePage } from '../kit/page/WholePage.tsx'
import { ButtonLink } from '../kit/text/links.tsx'
import { useGoOn } from './use-go-on.ts'

/** The issuer's answer is valid once, so a reload would not help. */
const afterConflict =
  'Go back and sign in again. If this keeps happening, tell whoever runs the sign-in of your company.'

/** The page the issuer redirects to. */
export default function CompanyReturnPage(): ReactNode {
  const { workspaceId } = useParams({ from: '/sign-in/company/$workspaceId' })
  const goOn = useGoOn()
  const [next] = useState(pageToComeBackTo)
  const queryClient = useQueryClient()
  const { mutate, error } = useSend({
    send: (query: string) => call(completeCompanySignIn, { body: { workspaceId, query } }),
    onSuccess: (session) => {
      queryClient.removeQueries({ queryKey: ['workspace'] })
      queryClient.setQueryData(sessionQuery.queryKey, session)
      goOn(next)
    },
    final: true,
    signsIn: true,
  })
  useEffect(() => {
    mutate(window.location.search.slice(1))
    // Once: what the address says counts only once.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return (
    <WholePage title="Sign in with your company">
      {error === null ? (
        <Text role="status">Signing you in…</Text>
      ) : (
        <Problem error={error} next={isFailure(error, 'conflict') ? afterConflict : undefined} />
      )}
      {error === null ? null : (
        <ButtonLink {...pages.signIn(next)} variant="default">
          Back
        </ButtonLink>
      )}
    </WholePage>
  )
}
