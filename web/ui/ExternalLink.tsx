import { Anchor, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { safeUrl } from './safe-url.ts'

type Props = { href: string | null; children: ReactNode }

/** A link out of the application, in a new tab. An address that is not http or https is shown as text. */
export function ExternalLink({ href, children }: Props): ReactNode {
  const address = safeUrl(href)
  if (address === undefined) return <Text span>{children}</Text>
  return (
    <Anchor
      inherit
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      style={{ overflowWrap: 'anywhere' }}
    >
      {children}
      <IconExternalLink
        size={13}
        aria-label="(opens in a new tab)"
        style={{ marginInlineStart: 3, verticalAlign: -2 }}
      />
    </Anchor>
  )
}
