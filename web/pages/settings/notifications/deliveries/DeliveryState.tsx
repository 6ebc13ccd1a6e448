import { IconBan, IconCircleCheckFilled, IconLoader2, IconXboxXFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DeliveryRow } from '../../../../../src/contract/alerts.ts'
import { Chip } from '../../../../ui/Chip.tsx'

/** What became of a delivery. */
export function DeliveryState({ delivery: { state } }: { delivery: Pick<DeliveryRow, 'state'> }): ReactNode {
  switch (state) {
    case 'sent':
      return (
        <Chip tone="good" Icon={IconCircleCheckFilled} title="The receiver answered 2xx">
          sent
        </Chip>
      )
    case 'failed':
      return (
        <Chip tone="bad" Icon={IconXboxXFilled} title="It is not sent again">
          failed
        </Chip>
      )
    case 'not_sent':
      return (
        <Chip tone="neutral" Icon={IconBan} title="Nothing was posted">
          not sent
        </Chip>
      )
    case 'pending':
      return (
        <Chip tone="pending" Icon={IconLoader2} spins>
          waiting
        </Chip>
      )
    case 'sending':
      return (
        <Chip tone="pending" Icon={IconLoader2} spins>
          sending
        </Chip>
      )
  }
}
