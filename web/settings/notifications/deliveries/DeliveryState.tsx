import { IconBan, IconCircleCheckFilled, IconLoader2, IconXboxXFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DeliveryRow } from '#contract/alerts/shapes.ts'
import { StatusChip, type Look } from '../../../kit/text/Chip.tsx'

const underWay = { tone: 'pending', Icon: IconLoader2, spins: true } as const

const looks: Record<DeliveryRow['state'], Look> = {
  sent: { word: 'sent', tone: 'good', Icon: IconCircleCheckFilled, title: 'The receiver answered 2xx' },
  failed: { word: 'failed', tone: 'bad', Icon: IconXboxXFilled, title: 'It is not sent again' },
  not_sent: { word: 'not sent', tone: 'neutral', Icon: IconBan, title: 'Nothing was posted' },
  pending: { word: 'waiting', ...underWay },
  sending: { word: 'sending', ...underWay },
}

/** The result of a delivery. */
export function DeliveryState({ delivery: { state } }: { delivery: Pick<DeliveryRow, 'state'> }): ReactNode {
  return <StatusChip {...looks[state]} />
}
