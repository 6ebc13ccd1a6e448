import { Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DestinationRow } from '#contract/alerts/shapes.ts'
import { DetailDrawer } from '../../../kit/page/DetailDrawer.tsx'
import { FactList } from '../../../kit/page/Facts.tsx'
import { Foreign } from '../../../kit/text/Foreign.tsx'
import { DeliveryHistory } from '../deliveries/DeliveryHistory.tsx'
import { SendTest } from '../deliveries/SendTest.tsx'
import { eventsInWords, kindNames } from '../words.ts'
import { Added, LastDelivery, NotSent } from './destination-facts.tsx'
import { EditDestination } from './EditDestination.tsx'
import { EnabledSwitch } from './EnabledSwitch.tsx'
import { RemoveDestination } from './RemoveDestination.tsx'
import { RenewSecret } from './RenewSecret.tsx'

type Props = { destination: DestinationRow | undefined; canStore: boolean; onClose: () => void }

/** One destination: its events, its actions, and its deliveries. */
export function DestinationDrawer({ destination, canStore, onClose }: Props): ReactNode {
  return (
    <DetailDrawer
      title={destination?.name ?? 'Destination'}
      opened={destination !== undefined}
      onClose={onClose}
    >
      {destination === undefined ? null : (
        <Stack gap="lg" key={destination.id}>
          <Stack gap="xs" align="flex-start">
            <EnabledSwitch
              destination={destination}
              label={destination.enabled ? 'On' : 'Off: nothing is posted'}
            />
            <NotSent />
          </Stack>
          <DestinationFacts destination={destination} />
          <Group gap="xs">
            <EditDestination destination={destination} />
            {destination.hasSecret ? <RenewSecret destination={destination} canStore={canStore} /> : null}
            <RemoveDestination destination={destination} onDone={onClose} />
          </Group>
          <SendTest destinationId={destination.id} isOff={!destination.enabled} />
          <DeliveryHistory destinationId={destination.id} />
        </Stack>
      )}
    </DetailDrawer>
  )
}

function DestinationFacts({ destination }: { destination: DestinationRow }): ReactNode {
  const { kind, host, events, lastError } = destination
  return (
    <FactList
      facts={[
        { name: 'Kind', value: kindNames[kind] },
        { name: 'Host', value: host },
        { name: 'Events', value: eventsInWords(events) },
        { name: 'Added', value: <Added destination={destination} /> },
        {
          name: 'Last delivery',
          value: (
            <>
              <LastDelivery destination={destination} />
              {lastError === null ? null : (
                <div>
                  <Foreign>{lastError}</Foreign>
                </div>
              )}
            </>
          ),
        },
      ]}
    />
  )
}
