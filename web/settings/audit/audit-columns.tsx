import { IconKey, IconServer, IconUser, type TablerIcon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditEvent } from '#contract/audit/shapes.ts'
import type { ActorKind } from '#contract/roles.ts'
import type { Column } from '../../kit/table/column.ts'
import { formatZoned } from '../../kit/text/format.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { ZonedTime } from '../../kit/time/Time.tsx'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { auditActorsQuery } from './queries.ts'
import { actionWords, objectName, objectWords } from './audit-words.ts'
import styles from './AuditPage.module.css'

export const actorLooks: Record<ActorKind, { word: string; Icon: TablerIcon }> = {
  person: { word: 'Person', Icon: IconUser },
  token: { word: 'Token', Icon: IconKey },
  system: { word: 'The service itself', Icon: IconServer },
}

/** Who acted, with an icon for the kind of actor. */
export function Actor({ actor: { kind, id, name } }: { actor: AuditEvent['actor'] }): ReactNode {
  const { word, Icon } = actorLooks[kind]
  return (
    <span className={styles['actor']}>
      <Icon size={14} role="img" aria-label={word} title={word} />
      <span className="clip">
        <Foreign>{name}</Foreign>
        <TokenStart id={kind === 'token' ? id : null} />
      </span>
    </span>
  )
}

/** The first characters of a token beside its name. */
export function TokenStart({ id }: { id: string | null }): ReactNode {
  const { slug } = useWorkspace()
  const { data } = useQuery({ ...auditActorsQuery(slug), enabled: id !== null })
  const token = data?.tokens.find((one) => one.id === id)
  return token === undefined ? null : <span className="dimmed">{` ${token.prefix}…`}</span>
}

export function auditColumns(timeZone: string): Column<AuditEvent>[] {
  return [
    {
      id: 'time',
      header: 'Time',
      widthPx: 180,
      phoneWidthPx: 96,
      whole: true,
      fits: ({ at }) => formatZoned(at, timeZone),
      cell: ({ at }) => <ZonedTime at={at} timeZone={timeZone} />,
    },
    { id: 'act', header: 'Action', whole: true, cell: ({ action }) => actionWords(action) },
    {
      id: 'object',
      header: 'On',
      from: 'sm',
      cell: ({ object }) => (
        <span className="clip">
          <span className="dimmed">{objectWords(object.kind)}</span> <Foreign>{objectName(object)}</Foreign>
          <TokenStart id={object.kind === 'token' ? object.id : null} />
        </span>
      ),
    },
    {
      id: 'actor',
      header: 'Actor',
      widthPx: 160,
      phoneWidthPx: 96,
      cell: ({ actor }) => <Actor actor={actor} />,
    },
    {
      id: 'address',
      header: 'Address',
      widthPx: 140,
      from: 'lg',
      cell: ({ address }) =>
        address === null ? <span className="dimmed">none</span> : <code>{address}</code>,
    },
  ]
}
