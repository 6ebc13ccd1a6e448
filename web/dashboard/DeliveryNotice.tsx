import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Notice } from '../kit/page/Notice.tsx'
import { formatNoun } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'

/** Alerts that failed to arrive. */
export function DeliveryNotice(): ReactNode {
  const { slug, recentProblems } = useWorkspace()
  if (recentProblems === null || recentProblems === 0) return null
  return (
    <Notice Icon={IconAlertTriangle}>
      <span>{formatNoun(recentProblems, 'post')} to alert destinations failed in the last 24 hours.</span>
      <TextLink {...pages.notifications(slug)}>Delivery problems</TextLink>
    </Notice>
  )
}
