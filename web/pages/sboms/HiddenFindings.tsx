import { Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatNoun } from '../../ui/format.ts'
import { TextLink } from '../../ui/links.tsx'

type Props = { hidden: number | undefined; link: LinkOptions }

/** Says that the list leaves out what has been declared not affected or fixed, and how to see it. */
export function HiddenFindings({ hidden, link }: Props): ReactNode {
  if (hidden === undefined || hidden === 0) return null
  const verb = hidden === 1 ? 'is' : 'are'
  return (
    <Text c="dimmed" fz={13} mb={8}>
      <IconEyeOff size={14} aria-hidden style={{ verticalAlign: -2, marginInlineEnd: 6 }} />
      {formatNoun(hidden, 'finding')} declared not affected or fixed {verb} hidden.{' '}
      <TextLink {...link}>Show all verdicts</TextLink>
    </Text>
  )
}
