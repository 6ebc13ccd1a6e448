import type { LinkOptions } from '@tanstack/react-router'
import { createContext, use, type CSSProperties, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { Foreign } from '../text/Foreign.tsx'
import { TextLink } from '../text/links.tsx'
import styles from './Crumbs.module.css'

/** The last crumb is the page itself and not a link. */
export type Crumb = { name: string; link?: LinkOptions }

/** Where the open page renders its breadcrumb, and how every breadcrumb starts; null outside the frame. */
export const CrumbsPlace = createContext<{ element: HTMLElement; start: Crumb } | null>(null)

/** A short name stays whole beside a long one; letters are a little narrower than digits. */
function leastWidth(name: string): CSSProperties {
  return { '--least': `${Math.min(name.length, 10) * 0.8}ch` } as CSSProperties
}

/** Renders the breadcrumb into the top bar. */
export function Crumbs({ way }: { way: Crumb[] }): ReactNode {
  const place = use(CrumbsPlace)
  if (place === null) return null
  const whole = [place.start, ...way]
  return createPortal(
    <nav aria-label="Breadcrumb" className={styles['way']}>
      <ol>
        {whole.map(({ name, link }, at) => (
          <li key={at} style={leastWidth(name)} aria-current={at === whole.length - 1 ? 'page' : undefined}>
            {link === undefined ? (
              <Foreign>{name}</Foreign>
            ) : (
              <TextLink {...link}>
                <Foreign>{name}</Foreign>
              </TextLink>
            )}
          </li>
        ))}
      </ol>
    </nav>,
    place.element,
  )
}
