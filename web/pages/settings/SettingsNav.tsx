import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import styles from './SettingsNav.module.css'

/** The way between the pages of the settings. */
export function SettingsNav(): ReactNode {
  const { slug } = useWorkspace()
  return (
    <nav aria-label="Settings" className={styles['tabs']}>
      <Link {...pages.tokens(slug)} activeOptions={whole} className={styles['tab']}>
        API tokens
      </Link>
      <Link {...pages.connector(slug)} activeOptions={whole} className={styles['tab']}>
        Dependency-Track
      </Link>
    </nav>
  )
}

const whole = { includeSearch: false }
