import { Link, useLocation, useRouter, type LinkOptions } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { isAllowed, type Permission } from '#contract/roles.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { formatCount, formatNoun } from '../kit/text/format.ts'
import { MailNotice } from '../notices/MailNotice.tsx'
import { PageTabs, showOpenTab } from '../kit/page/PageTabs.tsx'
import styles from './SettingsNav.module.css'

type Page = { name: string; link: LinkOptions; needs?: Permission; mark?: ReactNode }
type Group = { name: string; pages: Page[] }

/** Navigation of the settings: groups as tabs, and below them the pages of the open group. */
export function SettingsNav(): ReactNode {
  const { slug, role, recentProblems, mail } = useWorkspace()
  const { buildLocation } = useRouter()
  const { pathname } = useLocation()
  const groups = groupsOf(slug, recentProblems ?? 0).map(({ name, pages: all }) => ({
    name,
    pages: all.filter(({ needs }) => needs === undefined || isAllowed(role, needs)),
  }))
  const open = groups.find((group) =>
    group.pages.some(({ link }) => buildLocation(link).pathname === pathname),
  )
  return (
    <>
      <PageTabs label="Settings" tabs={groups.map((group) => tabOf(group, group === open))} tight />
      {open === undefined ? null : (
        <nav key={open.name} aria-label={open.name} ref={showOpenTab} className={styles['pages']}>
          {open.pages.map(({ name, link, mark }) => (
            <Link key={name} {...link} activeOptions={{ includeSearch: false }} className={styles['page']}>
              {name}
              {mark}
            </Link>
          ))}
        </nav>
      )}
      <MailNotice slug={slug} state={mail} mb={16} />
    </>
  )
}

/** It links to the first page of the group, and shows the marks of all its pages while they are hidden. */
function tabOf({ name, pages: [first, ...others] }: Group, isOpen: boolean) {
  return {
    name,
    link: first?.link ?? {},
    isOpen,
    mark: isOpen ? null : others.map((page) => <Fragment key={page.name}>{page.mark}</Fragment>),
  }
}

function groupsOf(slug: string, problems: number): Group[] {
  return [
    {
      name: 'General',
      pages: [
        { name: 'Company', link: pages.company(slug) },
        { name: 'Regimes and authorities', link: pages.regimes(slug) },
        { name: 'Disclosure', link: pages.disclosure(slug) },
      ],
    },
    {
      name: 'Connections',
      pages: [
        { name: 'API tokens', link: pages.tokens(slug) },
        { name: 'Dependency-Track', link: pages.connector(slug) },
        { name: 'Notifications', link: pages.notifications(slug), mark: <Problems count={problems} /> },
      ],
    },
    {
      name: 'People',
      pages: [
        { name: 'Members', link: pages.members(slug) },
        { name: 'Sign-in', link: pages.signInSettings(slug) },
      ],
    },
    {
      name: 'Plan and audit',
      pages: [
        { name: 'Billing', link: pages.billing(slug) },
        { name: 'Audit trail', link: pages.audit(slug), needs: 'see_audit' },
        { name: 'Close workspace', link: pages.closing(slug), needs: 'manage_billing' },
      ],
    },
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
