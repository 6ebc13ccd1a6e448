import { Foreign } from './Foreign.tsx'
import { Anchor, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { safeUrl } from './safe-url.ts'

type Props = { href: string | null; children: ReactNode }

/** A link out of the application, in a new tab. An address that is neither http nor https is shown as text. */
export function ExternalLink({ href, children }: Props): ReactNode {
  const address = safeUrl(href)
  const shown = typeof children === 'string' ? <Foreign>{children}</Foreign> : children
  if (address === undefined) return <Text span>{shown}</Text>
  return (
    <Anchor
      inherit
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      style={{ overflowWrap: 'anywhere' }}
    >
      {shown}
      <IconExternalLink
        size={13}
        aria-label="(opens in a new tab)"
        style={{ marginInlineStart: 3, verticalAlign: -2 }}
      />
    </Anchor>
  )
}
