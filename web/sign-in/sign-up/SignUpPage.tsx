import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { QueryProblem } from '../../kit/page/Loaded.tsx'
import { signUpOfferQuery } from '../queries.ts'
import { pages } from '../../areas.ts'
import { WaitingPage, WholePage } from '../../kit/page/WholePage.tsx'
import { ButtonLink } from '../../kit/text/links.tsx'
import { SentLink } from '../SentLink.tsx'
import { SignUpForm } from './SignUpForm.tsx'

/** Sign-up of a company for a workspace. */
export default function SignUpPage(): ReactNode {
  const offer = useQuery(signUpOfferQuery)
  const [sentTo, setSentTo] = useState<string | undefined>(undefined)
  if (offer.isPending) return <WaitingPage />
  return (
    <WholePage title={sentTo === undefined ? 'Sign up' : 'Confirm your e-mail address'}>
      <QueryProblem query={offer} />
      {offer.data?.isOpen === false ? (
        <Text>
          Sign-up is closed on this service. Ask an owner or admin of your company for an invitation.
        </Text>
      ) : null}
      {offer.data?.isOpen === true && sentTo === undefined ? (
        <>
          <Text c="dimmed">Everything is included for 30 days. No payment details are asked for.</Text>
          <SignUpForm offer={offer.data} onSent={setSentTo} />
        </>
      ) : null}
      {offer.data !== undefined && sentTo !== undefined ? (
        <SentLink email={sentTo} isCertain sendsMail={offer.data.sendsMail} />
      ) : null}
      <ButtonLink {...pages.signIn()} variant="default">
        Sign in instead
      </ButtonLink>
    </WholePage>
  )
}
