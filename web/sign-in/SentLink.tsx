import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  email: string
  /** False where it is sent only if there is an account. */
  isCertain: boolean
  sendsMail: boolean
}

/** Where the link was sent, and what to do if it does not arrive. */
export function SentLink({ email, isCertain, sendsMail }: Props): ReactNode {
  const address = <strong>{email}</strong>
  return (
    <div role="status">
      <Text style={{ overflowWrap: 'anywhere' }}>
        {sendsMail ? (
          <OnItsWay address={address} isCertain={isCertain} />
        ) : (
          <Kept address={address} isCertain={isCertain} />
        )}
      </Text>
    </div>
  )
}

type Said = { address: ReactNode; isCertain: boolean }

function OnItsWay({ address, isCertain }: Said): ReactNode {
  return (
    <>
      {isCertain ? 'A link is on its way to ' : 'If there is an account, a link is on its way to '}
      {address}. Look in the spam folder if it does not arrive within a few minutes.
    </>
  )
}

/** Without a mail server messages are stored; the operator opens them with `mail show`. */
function Kept({ address, isCertain }: Said): ReactNode {
  return (
    <>
      No mail was sent to {address}: this service has no mail server.{' '}
      {isCertain ? 'Its operator has the link' : 'If there is an account, its operator has a link'} and can
      give it to you.
    </>
  )
}
