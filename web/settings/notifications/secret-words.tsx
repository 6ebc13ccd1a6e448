import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'
import { useWorkspace } from '../../workspaces/use-workspace.ts'

export const secretWords =
  'It is shown only once and cannot be displayed again. Your receiver needs it to verify that a post comes from here; a lost one must be replaced.'

/** Link to the guide on verifying a post. */
export function VerificationGuide(): ReactNode {
  const { baseUrl } = useWorkspace()
  return (
    <Text c="dimmed" size="sm">
      <ExternalLink href={`${baseUrl}/docs/alerts#check-the-signature`}>How to verify a post</ExternalLink>,
      with code in several languages.
    </Text>
  )
}

/** Why no secret can be stored. */
export function noKeyReason(canStore: boolean): string | undefined {
  return canStore ? undefined : 'The service has no encryption key. The operator has to set one.'
}
