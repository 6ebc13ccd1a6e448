import { Tooltip } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { roomOf } from '../paths.ts'
import { formatCount } from '../kit/text/format.ts'
import { basisItems, workItems, type Item } from './items.ts'
import styles from './Sidebar.module.css'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { WorkspaceSwitcher } from './WorkspaceSwitcher.tsx'

type Props = {
  slug: string
  /** Icons only; the words become tooltips. */
  narrow?: boolean
  /** Called when a page was chosen, so that the drawer of a phone closes. */
  onChoose?: () => void
}

export function Sidebar({ slug, narrow = false, onChoose }: Props): ReactNode {
  const { incidents, inbox } = useWorkspace()
  return (
    <div className={styles['sidebar']} data-narrow={narrow}>
      <WorkspaceSwitcher slug={slug} narrow={narrow} />
      <nav aria-label="Pages" className={styles['nav']} onClick={onChoose}>
        <ItemList items={workItems(slug, { incidents, inbox })} narrow={narrow} />
        <hr className={styles['line']} />
        <ItemList items={basisItems(slug)} narrow={narrow} />
      </nav>
    </div>
  )
}

function ItemList({ items, narrow }: { items: Item[]; narrow: boolean }): ReactNode {
  const room = roomOf(useLocation().pathname)
  return (
    <ul className={styles['items']}>
      {items.map(({ name, Icon, link, rooms, todo }) => (
        <li key={name}>
          <Tooltip label={name} position="right" disabled={!narrow}>
            <Link
              {...link}
              className={styles['item']}
              data-open={rooms.includes(room)}
              aria-label={narrow ? name : undefined}
            >
              <Icon size={18} stroke={1.7} aria-hidden />
              {narrow ? null : name}
              {todo === undefined || todo.count === 0 ? null : (
                <span className={styles['todo']} role="img" aria-label={todo.words} title={todo.words}>
                  {formatCount(todo.count)}
                </span>
              )}
            </Link>
          </Tooltip>
        </li>
      ))}
    </ul>
  )
}
