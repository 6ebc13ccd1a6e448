import type { ReactNode } from 'react'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { PageTabs } from '../kit/page/PageTabs.tsx'

/** Navigation between incidents, matches to review and suppressed matches. */
export function IncidentsNav(): ReactNode {
  const { slug } = useWorkspace()
  const tabs = [
    { name: 'Incidents', link: pages.incidents(slug) },
    { name: 'To review', link: pages.review(slug) },
    { name: 'Held back by VEX', link: pages.suppressed(slug) },
  ]
  return <PageTabs label="Incidents" tabs={tabs} exact />
}
