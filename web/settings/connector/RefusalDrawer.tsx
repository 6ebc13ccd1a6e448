import { Foreign } from '../../kit/text/Foreign.tsx'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ConnectorRefusal } from '#contract/connector/shapes.ts'
import { DetailDrawer } from '../../kit/page/DetailDrawer.tsx'
import { FactList, type Fact } from '../../kit/page/Facts.tsx'
import { formatBytes, formatCount } from '../../kit/text/format.ts'
import { ZonedTime } from '../../kit/time/Time.tsx'
import { DismissRefusal } from './DismissRefusal.tsx'
import { refusalCure, refusalWords } from './refusal-words.ts'
import { RefusalState } from './RefusalState.tsx'

type Props = { familyId: string; refusal: ConnectorRefusal | undefined; onClose: () => void }

/** One refused request: the reason and the remedy. */
export function RefusalDrawer({ familyId, refusal, onClose }: Props): ReactNode {
  return (
    <DetailDrawer
      title={refusal?.projectName ?? 'Refused request'}
      opened={refusal !== undefined}
      onClose={onClose}
    >
      {refusal === undefined ? null : (
        <Stack gap="lg">
          <Text>
            {refusalWords(refusal)} <span className="dimmed">{refusalCure(refusal.error)}</span>
          </Text>
          <FactList facts={factsOf(refusal)} />
          <div>
            <DismissRefusal familyId={familyId} refusalId={refusal.id} onDone={onClose} />
          </div>
        </Stack>
      )}
    </DetailDrawer>
  )
}

function factsOf(refusal: ConnectorRefusal): Fact[] {
  const { at, times, status, error, group, projectName, projectVersion, sizeBytes, tokenName } = refusal
  const unread = <span className="dimmed">not read</span>
  const project = [projectName, projectVersion].filter((part) => part !== null).join(' ')
  return [
    { name: 'State', value: <RefusalState refusal={refusal} /> },
    { name: times > 1 ? 'Last time' : 'Time', value: <ZonedTime at={at} /> },
    ...(times > 1 ? [{ name: 'Times', value: formatCount(times) }] : []),
    { name: 'Answer', value: <code>{`${status} ${error}`}</code> },
    { name: 'Project', value: project === '' ? unread : project },
    {
      name: 'Group',
      value:
        group === null ? (
          unread
        ) : (
          <code>
            <Foreign>{group}</Foreign>
          </code>
        ),
    },
    { name: 'Size', value: sizeBytes === null ? unread : formatBytes(sizeBytes) },
    { name: 'Token', value: tokenName },
  ]
}
