import { Link, type LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './PageTabs.module.css'

type Tab = { name: string; link: LinkOptions; mark?: ReactNode }

/** The way between pages of one subject. `exact`: one of them has an address below which the others are. */
export function PageTabs({
  label,
  tabs,
  exact = false,
}: {
  label: string
  tabs: readonly Tab[]
  exact?: boolean
}): ReactNode {
  return (
    <nav aria-label={label} ref={showOpenTab} className={styles['tabs']}>
      {tabs.map(({ name, link, mark }) => (
        <Link key={name} {...link} activeOptions={{ includeSearch: false, exact }} className={styles['tab']}>
          {name}
          {mark}
        </Link>
      ))}
    </nav>
  )
}

/** On a phone the tabs are one line that is moved sideways: the one that is open is in it. */
function showOpenTab(tabs: HTMLElement | null): void {
  const open = tabs?.querySelector<HTMLElement>('[aria-current=page]')
  if (tabs === null || open === null || open === undefined) return
  tabs.scrollLeft = open.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - open.offsetWidth) / 2
}
