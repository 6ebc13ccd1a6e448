import { IconBellOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { DestinationRow } from '#contract/alerts/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { Chip } from '../../../kit/text/Chip.tsx'
import { Foreign } from '../../../kit/text/Foreign.tsx'
import { Age } from '../../../kit/time/Time.tsx'
import { DeliveryState } from '../deliveries/DeliveryState.tsx'
import { standstills } from '../words.ts'

type Props = { destination: DestinationRow }

/** Who added it shows where: a person in the application, a token through the API. */
export function Added({ destination: { createdAt, addedBy } }: Props): ReactNode {
  return (
    <>
      <Age at={createdAt} />
      <span className="dimmed">
        {' '}
        by <AddedBy addedBy={addedBy} />
      </span>
    </>
  )
}

function AddedBy({ addedBy: { kind, name } }: Pick<DestinationRow, 'addedBy'>): ReactNode {
  switch (kind) {
    case 'person':
      return <Foreign>{name}</Foreign>
    case 'token':
      return (
        <>
          <Foreign>{name}</Foreign> via API
        </>
      )
    case 'system':
      return 'provisioning'
  }
}

/** The result of the newest post, tests included. */
export function LastDelivery({ destination: { lastDeliveryAt, lastError } }: Props): ReactNode {
  if (lastDeliveryAt === null) return <span className="dimmed">none yet</span>
  return (
    <span title={lastError === null ? undefined : visibleText(lastError)}>
      <DeliveryState delivery={{ state: lastError === null ? 'sent' : 'failed' }} />{' '}
      <Age at={lastDeliveryAt} />
    </span>
  )
}

/** Why nothing is posted to it, whatever its switch says. */
export function NotSent(): ReactNode {
  const standstill = standstills[useWorkspace().state]
  if (standstill === undefined) return null
  return (
    <Chip tone="neutral" Icon={IconBellOff} title={standstill.title}>
      {standstill.chip}
    </Chip>
  )
}
