import { IconInfoCircle, IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { WorkspaceDetail } from '../../src/contract/app.ts'
import { useNow } from '../ui/text/clock.ts'
import { formatNoun } from '../ui/text/format.ts'
import { Moment } from '../ui/text/Time.tsx'
import { useWorkspace } from './use-workspace.ts'
import styles from './WorkspaceBanner.module.css'

const dayMs = 24 * 3600 * 1000
/** The end of a trial is told from two weeks before it. */
const toldDays = 14

/** One sentence under the top bar while the workspace is read-only, closed, or near the end of its trial. */
export function WorkspaceBanner(): ReactNode {
  const workspace = useWorkspace()
  const nowMs = useNow(60_000)
  switch (workspace.state) {
    case 'closed':
      return (
        <Banner tone="stopped">This workspace is closed: uploads are refused and nothing is matched.</Banner>
      )
    case 'free':
      return (
        <Banner tone="stopped">
          Read-only: the trial or subscription has ended. Uploads are refused and matching is paused.
        </Banner>
      )
    case 'suspended':
      return (
        <Banner tone="stopped">
          Read-only: the operator of this service has suspended this workspace. Uploads are refused and
          matching is paused.
        </Banner>
      )
    case 'trial':
      return <TrialBanner workspace={workspace} nowMs={nowMs} />
    case 'starter':
    case 'core':
    case 'plus':
      return null
  }
}

function TrialBanner({ workspace, nowMs }: { workspace: WorkspaceDetail; nowMs: number }): ReactNode {
  if (workspace.trialEndsAt === null) return null
  const days = Math.ceil((Date.parse(workspace.trialEndsAt) - nowMs) / dayMs)
  if (days > toldDays) return null
  return (
    <Banner tone="told">
      The trial ends in {formatNoun(Math.max(days, 0), 'day')}, on <Moment at={workspace.trialEndsAt} />. Then
      the workspace becomes read-only.
    </Banner>
  )
}

function Banner({ tone, children }: { tone: 'told' | 'stopped'; children: ReactNode }): ReactNode {
  const Icon = tone === 'told' ? IconInfoCircle : IconLock
  return (
    <div role="status" className={styles['banner']} data-tone={tone}>
      <Icon size={16} aria-hidden />
      <span>{children}</span>
    </div>
  )
}
