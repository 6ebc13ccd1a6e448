import type { LinkOptions } from '@tanstack/react-router'
import { createContext, use, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { pages } from '../../paths.ts'
import { Foreign } from '../text/Foreign.tsx'
import { TextLink } from '../text/links.tsx'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import styles from './Crumbs.module.css'

/** The last crumb is the page itself and leads nowhere. */
export type Crumb = { name: string; link?: LinkOptions }

/** The place in the top bar that the open page fills with its way. */
export const CrumbsPlace = createContext<HTMLElement | null>(null)

/** Writes the way to this page into the top bar. */
export function Crumbs({ way }: { way: Crumb[] }): ReactNode {
  const place = use(CrumbsPlace)
  const { slug, companyName } = useWorkspace()
  const whole: Crumb[] = [{ name: companyName, link: pages.dashboard(slug) }, ...way]
  if (place === null) return null
  return createPortal(
    <nav aria-label="Breadcrumb" className={styles['way']}>
      <ol>
        {whole.map(({ name, link }, at) => (
          <li key={at} aria-current={at === whole.length - 1 ? 'page' : undefined}>
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
    place,
  )
}
