import { Tooltip } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AreaItem } from '../area-item.ts'
import { basisItems, roomOf, workItems } from '../areas.ts'
import { formatCount } from '../kit/text/format.ts'
import styles from './Sidebar.module.css'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { WorkspaceSwitcher } from './WorkspaceSwitcher.tsx'

type Props = {
  slug: string
  /** Icons only; labels become tooltips. */
  narrow?: boolean
  /** Called when a page is chosen, to close the drawer on a phone. */
  onChoose?: () => void
}

export function Sidebar({ slug, narrow = false, onChoose }: Props): ReactNode {
  return (
    <div className={styles['sidebar']} data-narrow={narrow}>
      <WorkspaceSwitcher slug={slug} narrow={narrow} />
      <nav aria-label="Pages" className={styles['nav']} onClick={onChoose}>
        <ItemList items={workItems} narrow={narrow} />
        <hr className={styles['line']} />
        <ItemList items={basisItems} narrow={narrow} />
      </nav>
    </div>
  )
}

function ItemList({ items, narrow }: { items: readonly AreaItem[]; narrow: boolean }): ReactNode {
  const workspace = useWorkspace()
  const room = roomOf(useLocation().pathname)
  return (
    <ul className={styles['items']}>
      {items.map(({ name, Icon, link, rooms, todo }) => (
        <li key={name}>
          <Tooltip label={name} position="right" disabled={!narrow}>
            <Link
              {...link(workspace.slug)}
              // The address of the dashboard is the beginning of all others.
              activeOptions={{ exact: true, includeSearch: false }}
              aria-current={rooms.includes(room) ? 'true' : undefined}
              className={styles['item']}
              data-open={rooms.includes(room)}
              aria-label={narrow ? name : undefined}
            >
              <Icon size={18} stroke={1.7} aria-hidden />
              {narrow ? null : name}
              <Todo {...todo?.(workspace)} />
            </Link>
          </Tooltip>
        </li>
      ))}
    </ul>
  )
}

function Todo({ count = 0, words }: { count?: number; words?: string }): ReactNode {
  if (count === 0) return null
  return (
    <span className={styles['todo']} role="img" aria-label={words} title={words}>
      {formatCount(count)}
    </span>
  )
}
