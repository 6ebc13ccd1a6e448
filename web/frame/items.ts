import {
  IconAlertTriangle,
  IconBug,
  IconChartLine,
  IconComponents,
  IconDatabase,
  IconInbox,
  IconLayoutDashboard,
  IconPackages,
  IconSettings,
  IconSpeakerphone,
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkOptions } from '@tanstack/react-router'
import type { OpenWorkspace } from '#contract/workspace/operations.ts'
import { pages } from '../paths.ts'

export type Item = {
  name: string
  Icon: TablerIcon
  link: LinkOptions
  /** The first part of the addresses below it; '' is the workspace's own page. */
  rooms: readonly string[]
  /** How much of it somebody must do; nothing is shown for 0. */
  todo?: { count: number; words: string }
}

type Todo = Pick<OpenWorkspace, 'incidents' | 'inbox'>

/** What is watched and decided. */
export function workItems(slug: string, { incidents, inbox }: Todo): Item[] {
  const { overdue, waitingForMe } = incidents
  return [
    { name: 'Dashboard', Icon: IconLayoutDashboard, link: pages.dashboard(slug), rooms: [''] },
    {
      name: 'Inbox',
      Icon: IconInbox,
      link: pages.inbox(slug),
      rooms: ['inbox'],
      todo: {
        count: inbox.unanswered,
        words: `${inbox.unanswered} to acknowledge, ${inbox.overdue} overdue`,
      },
    },
    {
      name: 'Incidents',
      Icon: IconAlertTriangle,
      link: pages.incidents(slug),
      rooms: ['incidents', 'review', 'suppressed'],
      todo: { count: overdue + waitingForMe, words: `${overdue} overdue, ${waitingForMe} waiting for you` },
    },
    {
      name: 'Families',
      Icon: IconPackages,
      link: pages.families(slug),
      rooms: ['families', 'sboms', 'findings', 'vex'],
    },
    { name: 'Components', Icon: IconComponents, link: pages.components(slug), rooms: ['components'] },
    {
      name: 'Vulnerabilities',
      Icon: IconBug,
      link: pages.vulnerabilities(slug),
      rooms: ['vulnerabilities'],
    },
    { name: 'Advisories', Icon: IconSpeakerphone, link: pages.advisories(slug), rooms: ['advisories'] },
    { name: 'Metrics', Icon: IconChartLine, link: pages.metrics(slug), rooms: ['metrics'] },
  ]
}

/** What the work rests on. */
export function basisItems(slug: string): Item[] {
  return [
    { name: 'Sources', Icon: IconDatabase, link: pages.sources(slug), rooms: ['sources'] },
    { name: 'Settings', Icon: IconSettings, link: pages.company(slug), rooms: ['settings'] },
  ]
}
