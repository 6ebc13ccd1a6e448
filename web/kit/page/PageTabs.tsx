import { Link, type LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './PageTabs.module.css'

/** `isOpen`: the tab stands for several pages, and one of them is open. */
type Tab = { name: string; link: LinkOptions; mark?: ReactNode; isOpen?: boolean }

type Props = {
  label: string
  tabs: readonly Tab[]
  /** The address of one tab is a prefix of the others. */
  exact?: boolean
  /** A second row of tabs follows directly below. */
  tight?: boolean
}

/** Navigation between the pages of one subject. */
export function PageTabs({ label, tabs, exact = false, tight = false }: Props): ReactNode {
  return (
    <nav aria-label={label} ref={showOpenTab} className={styles['tabs']} data-tight={tight}>
      {tabs.map(({ name, link, mark, isOpen = false }) => (
        <Link
          key={name}
          {...link}
          activeOptions={{ includeSearch: false, exact }}
          aria-current={isOpen ? 'true' : undefined}
          className={styles['tab']}
        >
          {name}
          {mark}
        </Link>
      ))}
    </nav>
  )
}

/** On a phone the tabs scroll sideways: scrolls the open one into view. */
export function showOpenTab(tabs: HTMLElement | null): void {
  const open = tabs?.querySelector<HTMLElement>('[aria-current], [aria-selected=true]')
  if (tabs === null || open === null || open === undefined) return
  tabs.scrollLeft = open.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - open.offsetWidth) / 2
}
