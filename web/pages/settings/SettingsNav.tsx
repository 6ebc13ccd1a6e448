import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isAllowed } from '../../../src/contract/roles.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import { formatCount, formatNoun } from '../../ui/text/format.ts'
import { MailNotice } from '../../ui/page/MailNotice.tsx'
import styles from './SettingsNav.module.css'

/** The way between the pages of the settings. */
export function SettingsNav(): ReactNode {
  const { slug, role, recentProblems, mail } = useWorkspace()
  return (
    <>
      <nav aria-label="Settings" className={styles['tabs']}>
        <Link {...pages.company(slug)} activeOptions={whole} className={styles['tab']}>
          Company
        </Link>
        <Link {...pages.members(slug)} activeOptions={whole} className={styles['tab']}>
          Members
        </Link>
        <Link {...pages.signInSettings(slug)} activeOptions={whole} className={styles['tab']}>
          Sign-in
        </Link>
        <Link {...pages.tokens(slug)} activeOptions={whole} className={styles['tab']}>
          API tokens
        </Link>
        <Link {...pages.notifications(slug)} activeOptions={whole} className={styles['tab']}>
          Notifications
          <Problems count={recentProblems ?? 0} />
        </Link>
        <Link {...pages.disclosure(slug)} activeOptions={whole} className={styles['tab']}>
          Disclosure
        </Link>
        <Link {...pages.regimes(slug)} activeOptions={whole} className={styles['tab']}>
          Regimes and authorities
        </Link>
        {isAllowed(role, 'manage_billing') ? (
          <Link {...pages.billing(slug)} activeOptions={whole} className={styles['tab']}>
            Billing
          </Link>
        ) : null}
        {isAllowed(role, 'manage_billing') ? (
          <Link {...pages.closing(slug)} activeOptions={whole} className={styles['tab']}>
            Close workspace
          </Link>
        ) : null}
        <Link {...pages.connector(slug)} activeOptions={whole} className={styles['tab']}>
          Dependency-Track
        </Link>
        {isAllowed(role, 'see_audit') ? (
          <Link {...pages.audit(slug)} activeOptions={whole} className={styles['tab']}>
            Audit trail
          </Link>
        ) : null}
      </nav>
      <MailNotice slug={slug} state={mail} mb={16} />
    </>
  )
}

function Problems({ count }: { count: number }): ReactNode {
  if (count === 0) return null
  const words = `${formatNoun(count, 'delivery', 'deliveries')} failed in the last 24 hours`
  return (
    <span className={styles['count']} role="img" aria-label={words} title={words}>
      {formatCount(count)}
    </span>
  )
}

const whole = { includeSearch: false }
