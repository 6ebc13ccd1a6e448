import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  email: string
  /** False where it is sent only to those who have an account. */
  isCertain: boolean
  sendsMail: boolean
}

/** Where the link has gone, and what to do when it does not come. */
export function SentLink({ email, isCertain, sendsMail }: Props): ReactNode {
  const subject = isCertain ? 'A link is on its way to ' : 'If there is an account, a link is on its way to '
  return (
    <div role="status">
      <Text style={{ overflowWrap: 'anywhere' }}>
        {subject}
        <strong>{email}</strong>.{' '}
        {sendsMail
          ? 'Look into the spam folder when it does not come within some minutes.'
          : 'This service sends no mail: ask its operator for the link.'}
      </Text>
    </div>
  )
}
