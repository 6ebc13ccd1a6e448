import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { DeliveryProblem } from '#contract/alerts/shapes.ts'
import { DetailDrawer } from '../../../kit/page/DetailDrawer.tsx'
import { FactList } from '../../../kit/page/Facts.tsx'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { pages } from '../../../areas.ts'
import { CopyText } from '../../../kit/text/CopyText.tsx'
import { Foreign } from '../../../kit/text/Foreign.tsx'
import { TextLink } from '../../../kit/text/links.tsx'
import { ZonedTime } from '../../../kit/time/Time.tsx'
import { answerWords, eventName, kindNames } from '../words.ts'
import { ProblemDestination } from './problem-columns.tsx'
import { ThingLink } from './ThingLink.tsx'

type Props = { problem: DeliveryProblem | undefined; onClose: () => void }

/** One failed delivery: the reason, and what it was about. */
export function ProblemDrawer({ problem, onClose }: Props): ReactNode {
  return (
    <DetailDrawer
      title={problem === undefined ? 'Delivery problem' : `${eventName(problem.type)} was not delivered`}
      opened={problem !== undefined}
      onClose={onClose}
    >
      {problem === undefined ? null : <Detail problem={problem} />}
    </DetailDrawer>
  )
}

function Detail({ problem }: { problem: DeliveryProblem }): ReactNode {
  const { slug } = useWorkspace()
  const { id, type, createdAt, sentAt, status, reason, destination } = problem
  const answer = answerWords(problem)
  return (
    <Stack gap="lg">
      <Text style={{ overflowWrap: 'anywhere' }}>
        <Foreign>{reason ?? 'unknown'}</Foreign>
      </Text>
      <FactList
        facts={[
          { name: 'Event', value: eventName(type) },
          ...(type === 'test' ? [] : [{ name: 'About', value: <ThingLink delivery={problem} /> }]),
          { name: 'Destination', value: <ProblemDestination destination={destination} /> },
          { name: 'Kind', value: kindNames[destination.kind] },
          { name: 'Happened', value: <ZonedTime at={createdAt} /> },
          ...(sentAt === null ? [] : [{ name: 'Posted', value: <ZonedTime at={sentAt} /> }]),
          ...(answer === undefined ? [] : [{ name: status === null ? 'Ended' : 'Answer', value: answer }]),
          { name: 'Event id', value: <CopyText text={id} what="event id" /> },
        ]}
      />
      {destination.isRemoved ? null : (
        <TextLink {...pages.notifications(slug, { destination: destination.id })} replace>
          The destination and its deliveries
        </TextLink>
      )}
    </Stack>
  )
}
