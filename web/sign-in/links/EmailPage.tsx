import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { confirmEmailChange } from '#contract/people/operations/profile.ts'
import { useFragment } from '../../kit/address/use-fragment.ts'
import { call } from '../../kit/api/call.ts'
import { sessionQuery } from '../session-query.ts'
import { isFailure } from '../../kit/api/request.ts'
import { useSend } from '../../kit/api/use-send.ts'
import { pages } from '../../areas.ts'
import { Problem } from '../../kit/page/Problem.tsx'
import { WholePage } from '../../kit/page/WholePage.tsx'
import { ButtonLink } from '../../kit/text/links.tsx'
import { EndedLink } from './LinkPage.tsx'

/** Confirms a new e-mail address. It asks first, because mail scanners open links too. */
export default function EmailPage(): ReactNode {
  const secret = useFragment()
  const queryClient = useQueryClient()
  const [email, setEmail] = useState<string | undefined>(undefined)
  const confirming = useSend({
    final: true,
    send: () => call(confirmEmailChange, { body: { secret } }),
    onSuccess: async (changed) => {
      setEmail(changed.email)
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  if (isFailure(confirming.error, 'not_found')) return <EndedLink />
  if (email !== undefined) {
    return (
      <WholePage title="E-mail address confirmed">
        <Text style={{ overflowWrap: 'anywhere' }}>You sign in with {email} from now on.</Text>
        <ButtonLink {...pages.home()}>Continue</ButtonLink>
      </WholePage>
    )
  }
  return (
    <WholePage title="Confirm your new e-mail address">
      <Text>You sign in with this address from then on, and mail goes there.</Text>
      <Problem error={confirming.error} />
      <Button
        loading={confirming.isPending}
        onClick={() => {
          confirming.mutate()
        }}
      >
        Confirm this address
      </Button>
    </WholePage>
  )
}
