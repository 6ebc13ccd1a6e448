import { ActionIcon, Button, Indicator, Popover, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBell } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import type { BellRow } from '#contract/notices/shapes.ts'
import { markAllRead, markRead } from '#contract/notices/operations.ts'
import { call } from '../kit/api/call.ts'
import { listedRows } from '../kit/api/listed.ts'
import { bellQuery } from './queries.ts'
import { workspaceQuery } from '../workspaces/queries.ts'
import { tellRefusal } from '../kit/api/tell-refusal.ts'
import { useAct } from '../kit/api/use-act.ts'
import { pages } from '../areas.ts'
import { Problem } from '../kit/page/Problem.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { TextLink } from '../kit/text/links.tsx'
import { Age } from '../kit/time/Time.tsx'
import styles from './Bell.module.css'

const maxShown = 99
const countEveryMs = 30_000

/** The member's notices, with the unread count, in the top bar. */
export function Bell({ slug }: { slug: string }): ReactNode {
  const [isOpen, panel] = useDisclosure(false)
  const workspace = useQuery({ ...workspaceQuery(slug), refetchInterval: countEveryMs }).data
  const unread = workspace?.unread ?? 0
  const shownUnread = unread > maxShown ? `${maxShown}+` : String(unread)
  return (
    <Popover
      opened={isOpen}
      onChange={(opened) => {
        if (!opened) panel.close()
      }}
      position="bottom-end"
      width="min(400px, 94vw)"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={unread === 0 ? 'Notifications' : `Notifications, ${shownUnread} unread`}
          onClick={panel.toggle}
          // the number is wider than the button
          style={{ overflow: 'visible' }}
        >
          <Indicator
            label={shownUnread}
            disabled={unread === 0}
            size={16}
            // beside the bell, not over it
            offset={{ x: -3, y: 2 }}
            classNames={{ indicator: styles['count'] ?? '' }}
            color="indigo.8"
          >
            <IconBell size={19} stroke={1.7} />
          </Indicator>
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0}>
        <Panel
          slug={slug}
          unread={unread}
          goesNowhere={workspace?.mail.goesNowhere === true}
          onClose={panel.close}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

type PanelProps = { slug: string; unread: number; goesNowhere: boolean; onClose: () => void }

function Panel({ slug, unread, goesNowhere, onClose }: PanelProps): ReactNode {
  const { rows, error, onMore, onRetry } = listedRows(useInfiniteQuery(bellQuery(slug)))
  const readAll = useAct({ slug, send: () => call(markAllRead, { params: { slug } }) })
  return (
    <section aria-label="Notifications">
      <div className={styles['head']}>
        <Text fw={600}>Notifications</Text>
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={unread === 0}
          loading={readAll.isPending}
          onClick={() => {
            readAll.mutate(undefined, { onError: tellRefusal })
          }}
        >
          Mark all as read
        </Button>
      </div>
      <Problem error={error} onRetry={onRetry} />
      {rows?.length === 0 ? (
        <p className={styles['empty']}>
          Nothing so far. Incidents, deadlines, new findings and tokens that are about to expire show up here.
        </p>
      ) : null}
      <ul className={styles['list']}>
        {rows?.map((row) => (
          <Entry key={row.id} slug={slug} row={row} onClose={onClose} />
        ))}
      </ul>
      {onMore === undefined ? null : (
        <Button variant="subtle" fullWidth onClick={onMore}>
          Show more
        </Button>
      )}
      <div className={styles['foot']}>
        <TextLink {...pages.notices(slug)} onClick={onClose}>
          {goesNowhere ? 'Your notifications' : 'Choose what is sent by mail'}
        </TextLink>
      </div>
    </section>
  )
}

type EntryProps = { slug: string; row: BellRow; onClose: () => void }

function Entry({ slug, row, onClose }: EntryProps): ReactNode {
  const { history } = useRouter()
  const read = useAct({ slug, send: () => call(markRead, { params: { slug, entry: row.id } }) })
  const isRead = row.readAt !== null
  const open = (event: MouseEvent) => {
    if (!isRead) read.mutate(undefined, { onError: tellRefusal })
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onClose()
    history.push(row.path)
  }
  return (
    <li className={styles['entry']} data-read={isRead}>
      <a href={row.path} onClick={open} className={styles['words']}>
        <span className={styles['headline']}>
          {isRead ? null : <span className={styles['dot']} role="img" aria-label="unread" />}
          <Foreign>{row.headline}</Foreign>
        </span>
        {row.detail === null ? null : (
          <span className={styles['detail']}>
            <Foreign>{row.detail}</Foreign>
          </span>
        )}
        <span className={styles['detail']}>
          <Age at={row.createdAt} />
        </span>
      </a>
      {isRead ? null : (
        <Button
          variant="subtle"
          size="compact-sm"
          loading={read.isPending}
          aria-label={`Mark as read: ${visibleText(row.headline)}`}
          onClick={() => {
            read.mutate(undefined, { onError: tellRefusal })
          }}
        >
          Mark as read
        </Button>
      )}
    </li>
  )
}
