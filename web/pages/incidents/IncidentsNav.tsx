import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import styles from './IncidentsNav.module.css'

const whole = { includeSearch: false, exact: true }

/** The way between the incidents, what may have to become one, and what a document holds back. */
export function IncidentsNav(): ReactNode {
  const { slug } = useWorkspace()
  return (
    <nav aria-label="Incidents" className={styles['tabs']}>
      <Link {...pages.incidents(slug)} activeOptions={whole} className={styles['tab']}>
        Incidents
      </Link>
      <Link {...pages.review(slug)} activeOptions={whole} className={styles['tab']}>
        To review
      </Link>
      <Link {...pages.suppressed(slug)} activeOptions={whole} className={styles['tab']}>
        Held back by VEX
      </Link>
    </nav>
  )
}
