import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isAllowed, type Permission } from '../../../src/contract/roles.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import { formatCount, formatNoun } from '../../ui/text/format.ts'
import { MailNotice } from '../../ui/page/MailNotice.tsx'
import { PageTabs } from '../../ui/page/PageTabs.tsx'
import styles from './SettingsNav.module.css'

type Tab = { name: string; link: LinkOptions; needs?: Permission; mark?: ReactNode }

/** The way between the pages of the settings. */
export function SettingsNav(): ReactNode {
  const { slug, role, recentProblems, mail } = useWorkspace()
  const tabs = tabsOf(slug, recentProblems ?? 0).filter(
    ({ needs }) => needs === undefined || isAllowed(role, needs),
  )
  return (
    <>
      <PageTabs label="Settings" tabs={tabs} />
      <MailNotice slug={slug} state={mail} mb={16} />
    </>
  )
}

function tabsOf(slug: string, problems: number): Tab[] {
  return [
    { name: 'Company', link: pages.company(slug) },
    { name: 'Regimes and authorities', link: pages.regimes(slug) },
    { name: 'API tokens', link: pages.tokens(slug) },
    { name: 'Dependency-Track', link: pages.connector(slug) },
    { name: 'Notifications', link: pages.notifications(slug), mark: <Problems count={problems} /> },
    { name: 'Disclosure', link: pages.disclosure(slug) },
    { name: 'Members', link: pages.members(slug) },
    { name: 'Sign-in', link: pages.signInSettings(slug) },
    { name: 'Billing', link: pages.billing(slug), needs: 'manage_billing' },
    { name: 'Audit trail', link: pages.audit(slug), needs: 'see_audit' },
    { name: 'Close workspace', link: pages.closing(slug), needs: 'manage_billing' },
  ]
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
