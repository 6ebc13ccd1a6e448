import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DeliveryProblem } from '#contract/alerts/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { Chip } from '../../../kit/text/Chip.tsx'
import type { Column } from '../../../kit/table/column.ts'
import { CutForeign, Foreign } from '../../../kit/text/Foreign.tsx'
import { ZonedTime } from '../../../kit/time/Time.tsx'
import { eventName } from '../words.ts'
import { ThingLink } from './ThingLink.tsx'

/** Deleted ones are kept by name. */
export function ProblemDestination({
  destination: { name, isRemoved },
}: Pick<DeliveryProblem, 'destination'>): ReactNode {
  return (
    <span className="named">
      <CutForeign>{name}</CutForeign>
      {isRemoved ? (
        <Chip tone="neutral" Icon={IconTrash} title="The destination has been removed">
          removed
        </Chip>
      ) : null}
    </span>
  )
}

export const problemColumns: Column<DeliveryProblem>[] = [
  {
    id: 'time',
    header: 'Time',
    widthPx: 204,
    cell: ({ sentAt, createdAt, type, destination }) => (
      <span className="two-lines">
        <ZonedTime at={sentAt ?? createdAt} />
        <span className="phone-only dimmed">
          <span className="clip">
            {eventName(type)} · <Foreign>{destination.name}</Foreign>
            {destination.isRemoved ? ' (removed)' : null}
          </span>
        </span>
      </span>
    ),
  },
  {
    id: 'destination',
    header: 'Destination',
    widthPx: 196,
    from: 'sm',
    cell: ({ destination }) => <ProblemDestination destination={destination} />,
  },
  { id: 'event', header: 'Event', widthPx: 148, from: 'md', cell: ({ type }) => eventName(type) },
  {
    id: 'reason',
    header: 'Reason',
    phoneWidthPx: 124,
    cell: ({ reason }) => (
      <span className="beginning" title={visibleText(reason ?? '')}>
        <Foreign>{reason ?? 'unknown'}</Foreign>
      </span>
    ),
  },
  {
    id: 'thing',
    header: 'About',
    widthPx: 144,
    from: 'lg',
    cell: (problem) => <ThingLink delivery={problem} />,
  },
]
