import {
  IconDatabase,
  IconLayoutDashboard,
  IconPackages,
  IconSettings,
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkOptions } from '@tanstack/react-router'
import { pages } from '../paths.ts'

export type Item = { name: string; Icon: TablerIcon; link: LinkOptions; exact?: true }

/** What is watched and decided. */
export function workItems(slug: string): Item[] {
  return [
    { name: 'Dashboard', Icon: IconLayoutDashboard, link: pages.dashboard(slug), exact: true },
    { name: 'Families', Icon: IconPackages, link: pages.families(slug) },
  ]
}

/** What the work rests on. */
export function basisItems(slug: string): Item[] {
  return [
    { name: 'Sources', Icon: IconDatabase, link: pages.sources(slug) },
    { name: 'Settings', Icon: IconSettings, link: pages.tokens(slug) },
  ]
}
