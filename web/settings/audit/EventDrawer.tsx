import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AuditEvent } from '#contract/audit/shapes.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { AuditFilter } from '../area.ts'
import { pages } from '../../areas.ts'
import { BothTimes } from '../../kit/time/Countdown.tsx'
import { DetailDrawer } from '../../kit/page/DetailDrawer.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { FactList, type Fact } from '../../kit/page/Facts.tsx'
import { CopyText } from '../../kit/text/CopyText.tsx'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import { TextLink } from '../../kit/text/links.tsx'
import { Actor, TokenStart } from './audit-columns.tsx'
import { actionWords, objectWords } from './audit-words.ts'
import styles from './AuditPage.module.css'
import { changesOf, type Change } from './changes.ts'
import { ObjectLink } from './ObjectLink.tsx'
import type { OpenEvent } from './use-open-event.ts'

type Props = OpenEvent & { filter: AuditFilter; onClose: () => void }

/** One event: who did what when, from where, and what it changed. */
export function EventDrawer({ event, error, filter, onClose }: Props): ReactNode {
  return (
    <DetailDrawer
      title={event === undefined ? 'Event' : actionWords(event.action)}
      opened={event !== undefined || error !== null}
      onClose={onClose}
    >
      <Problem error={error} />
      {event === undefined ? null : <Detail event={event} filter={filter} />}
    </DetailDrawer>
  )
}

function Detail({ event, filter }: { event: AuditEvent; filter: AuditFilter }): ReactNode {
  const { slug } = useWorkspace()
  const { actor, object } = event
  return (
    <Stack gap="lg">
      <FactList facts={useFacts(event)} />
      <Changes changes={changesOf(event.before, event.after)} />
      <Group gap="md">
        <TextLink {...pages.audit(slug, { ...filter, object: object.id })}>All events on this</TextLink>
        {actor.id === null ? null : (
          <TextLink {...pages.audit(slug, { ...filter, actor: actor.id })}>All events by this actor</TextLink>
        )}
      </Group>
    </Stack>
  )
}

function useFacts({ id, at, actor, object, requestId, address }: AuditEvent): Fact[] {
  const { timeZone } = useWorkspace()
  return [
    { name: 'Time', value: <BothTimes at={at} timeZone={timeZone} /> },
    { name: 'Actor', value: <Actor actor={actor} /> },
    { name: objectWords(object.kind), value: <Thing object={object} /> },
    ...(address === null ? [] : [{ name: 'Address', value: <CopyText text={address} what="address" /> }]),
    ...(requestId === null
      ? []
      : [{ name: 'Request', value: <CopyText text={requestId} what="request id" /> }]),
    { name: 'Event', value: String(id) },
  ]
}

function Thing({ object }: { object: AuditEvent['object'] }): ReactNode {
  return (
    <>
      <ObjectLink object={object} />
      <TokenStart id={object.kind === 'token' ? object.id : null} />
    </>
  )
}

function Changes({ changes }: { changes: Change[] }): ReactNode {
  if (changes.length === 0) return null
  const hasBefore = changes.some(({ before }) => before !== undefined)
  return (
    <table className={styles['changes']}>
      <thead>
        <tr>
          <th scope="col">{hasBefore ? 'Changed' : 'Said'}</th>
          {hasBefore ? <th scope="col">Before</th> : null}
          <th scope="col">{hasBefore ? 'After' : 'Value'}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">
              <Foreign>{name === '' ? 'value' : name}</Foreign>
            </th>
            {hasBefore ? <Value text={before} /> : null}
            <Value text={after} />
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({ text }: { text: string | undefined }): ReactNode {
  return (
    <td>
      {text === undefined ? (
        <Text component="span" c="dimmed" inherit>
          –
        </Text>
      ) : (
        <ForeignLines>{text}</ForeignLines>
      )}
    </td>
  )
}
