import type { DestinationRow } from '#contract/alerts/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { CutForeign, Foreign } from '../../../kit/text/Foreign.tsx'
import type { Column } from '../../../kit/table/column.ts'
import { eventsInWords, kindNames } from '../words.ts'
import { Added, LastDelivery, NotSent } from './destination-facts.tsx'
import { EnabledSwitch } from './EnabledSwitch.tsx'

export const destinationColumns: Column<DestinationRow>[] = [
  {
    id: 'name',
    header: 'Name',
    // as wide as the text shown below the name on a plan without alerts
    widthPx: 186,
    cell: ({ name, kind }) => (
      <span className="two-lines">
        <CutForeign>{name}</CutForeign>
        <span className="phone-only dimmed">{kindNames[kind]}</span>
        <NotSent />
      </span>
    ),
  },
  { id: 'kind', header: 'Kind', widthPx: 128, from: 'sm', cell: ({ kind }) => kindNames[kind] },
  {
    id: 'host',
    header: 'Host',
    widthPx: 170,
    from: 'md',
    cell: ({ host }) => (
      <span title={visibleText(host)}>
        <Foreign>{host}</Foreign>
      </span>
    ),
  },
  {
    id: 'events',
    header: 'Events',
    from: 'lg',
    whole: true,
    cell: ({ events }) => <span>{eventsInWords(events)}</span>,
  },
  {
    id: 'added',
    header: 'Added',
    from: 'lg',
    whole: true,
    cell: (destination) => <Added destination={destination} />,
  },
  {
    id: 'last',
    header: 'Last delivery',
    widthPx: 160,
    phoneWidthPx: 98,
    whole: true,
    cell: (destination) => <LastDelivery destination={destination} />,
  },
  {
    id: 'on',
    header: 'On',
    widthPx: 58,
    cell: (destination) => <EnabledSwitch destination={destination} />,
  },
]
