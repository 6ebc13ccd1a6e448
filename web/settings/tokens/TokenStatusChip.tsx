import { IconBan, IconCircleCheckFilled, IconClockOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { TokenStatus } from '#contract/tokens/shapes.ts'
import { StatusChip, type Look } from '../../kit/text/Chip.tsx'

const tokenLooks: Record<TokenStatus, Look> = {
  Active: { word: 'Active', tone: 'good', Icon: IconCircleCheckFilled },
  Expired: { word: 'Expired', tone: 'neutral', Icon: IconClockOff },
  Revoked: { word: 'Revoked', tone: 'neutral', Icon: IconBan },
}

export function TokenStatusChip({ status }: { status: TokenStatus }): ReactNode {
  return <StatusChip {...tokenLooks[status]} />
}
