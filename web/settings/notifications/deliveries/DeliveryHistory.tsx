import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import type { DeliveryRow } from '#contract/alerts/shapes.ts'
import { deliveriesQuery } from '../queries.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { pages } from '../../../areas.ts'
import { CopyText } from '../../../kit/text/CopyText.tsx'
import { Foreign } from '../../../kit/text/Foreign.tsx'
import { TextLink } from '../../../kit/text/links.tsx'
import { ZonedTime } from '../../../kit/time/Time.tsx'
import { answerWords, eventName } from '../words.ts'
import styles from './DeliveryHistory.module.css'
import { DeliveryState } from './DeliveryState.tsx'
import { Loaded } from '../../../kit/page/Loaded.tsx'

/** Everything sent to a destination, and the results, newest first. */
export function DeliveryHistory({ destinationId }: { destinationId: string }): ReactNode {
  const { slug } = useWorkspace()
  const titleId = useId()
  const deliveries = useQuery(deliveriesQuery(slug, destinationId))
  return (
    <section aria-labelledby={titleId}>
      <div className={styles['title']}>
        <h3 id={titleId}>
          Deliveries <span className="dimmed">the last 100</span>
        </h3>
        <TextLink {...pages.notifications(slug, { failed: destinationId })} replace>
          Problems only
        </TextLink>
      </div>
      <Loaded query={deliveries} waiting={<History deliveries={undefined} />}>
        {(known) => <History deliveries={known} />}
      </Loaded>
    </section>
  )
}

const skeletons = [0, 1, 2]

function History({ deliveries }: { deliveries: DeliveryRow[] | undefined }): ReactNode {
  if (deliveries?.length === 0) return <p className="dimmed">Nothing has been posted yet.</p>
  return (
    <ol className={styles['list']} aria-busy={deliveries === undefined}>
      {deliveries === undefined
        ? skeletons.map((at) => (
            <li key={at} className={styles['delivery']}>
              <Skeleton height={12} width="60%" my={4} />
              <Skeleton height={12} width="80%" my={4} />
            </li>
          ))
        : deliveries.map((delivery) => <Delivery key={delivery.id} delivery={delivery} />)}
    </ol>
  )
}

function Delivery({ delivery }: { delivery: DeliveryRow }): ReactNode {
  const { id, type, createdAt, sentAt, reason } = delivery
  const answer = answerWords(delivery)
  return (
    <li className={styles['delivery']}>
      <div className={styles['head']}>
        <DeliveryState delivery={delivery} />
        <strong>{eventName(type)}</strong>
        {answer === undefined ? null : <span className="dimmed">{answer}</span>}
        <span className={styles['time']}>
          <ZonedTime at={sentAt ?? createdAt} />
        </span>
      </div>
      {reason === null ? null : (
        <p className={styles['reason']}>
          <Foreign>{reason}</Foreign>
        </p>
      )}
      <CopyText text={id} what="event id" />
    </li>
  )
}
