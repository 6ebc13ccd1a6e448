import type { LinkOptions } from '@tanstack/react-router'
import { createContext, use, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { TextLink } from '../ui/links.tsx'
import styles from './Crumbs.module.css'

/** The last crumb is the page itself and leads nowhere. */
export type Crumb = { name: string; link?: LinkOptions }

/** The place in the top bar that the open page fills with its way. */
export const CrumbsPlace = createContext<HTMLElement | null>(null)

/** Writes the way to this page into the top bar. */
export function Crumbs({ way }: { way: Crumb[] }): ReactNode {
  const place = use(CrumbsPlace)
  if (place === null) return null
  return createPortal(
    <nav aria-label="Breadcrumb" className={styles['way']}>
      <ol>
        {way.map(({ name, link }, at) => (
          <li key={at} aria-current={at === way.length - 1 ? 'page' : undefined}>
            {link === undefined ? <span>{name}</span> : <TextLink {...link}>{name}</TextLink>}
          </li>
        ))}
      </ol>
    </nav>,
    place,
  )
}
