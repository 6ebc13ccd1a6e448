import { IconInfoCircle, IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { dayMs } from '#contract/durations.ts'
import type { WorkspaceDetail } from '#contract/workspace/shapes.ts'
import { isAllowed } from '#contract/roles.ts'
import { pages } from '../areas.ts'
import { useNow } from '../kit/time/clock.ts'
import { formatNoun } from '../kit/text/format.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { ZonedTime } from '../kit/time/Time.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import styles from './WorkspaceBanner.module.css'

/** The end of a trial or subscription is announced two weeks ahead. */
const toldDays = 14

/** One sentence under the top bar while the workspace is read-only, closed, or near the end of its trial or subscription. */
export function WorkspaceBanner(): ReactNode {
  const workspace = useWorkspace()
  const nowMs = useNow(60_000)
  switch (workspace.state) {
    case 'closed':
      return (
        <Banner tone="stopped" act={<Reopen workspace={workspace} />}>
          This workspace is closed: uploads are refused, nothing is matched, and published advisories stay.
        </Banner>
      )
    case 'free':
      return (
        <Banner tone="stopped" act={<Subscribe workspace={workspace} />}>
          Read-only: the trial or subscription has ended. Uploads are refused, and matching and the opening of
          incidents are paused. The clocks of open incidents run on.{whoCan(workspace)}
        </Banner>
      )
    case 'suspended':
      return (
        <Banner tone="stopped">
          Read-only: the operator of this service has suspended this workspace. Uploads are refused and
          matching is paused. The clocks of open incidents run on. Ask the operator to lift it.
        </Banner>
      )
    case 'moving':
      return (
        <Banner tone="stopped">
          Read-only: the operator of this service is moving this workspace to another installation. Uploads
          are refused, and deadlines are watched there once it has arrived.
        </Banner>
      )
    case 'moved':
      return (
        <Banner tone="stopped">
          This workspace has moved to <MovedTo workspace={workspace} />. What you see here is a copy that
          nobody changes: sign in there.
        </Banner>
      )
    case 'trial':
      return <EndBanner workspace={workspace} what="trial" endsAt={workspace.trialEndsAt} nowMs={nowMs} />
    case 'starter':
    case 'core':
    case 'plus':
      return (
        <EndBanner workspace={workspace} what="subscription" endsAt={workspace.paidUntil} nowMs={nowMs} />
      )
  }
}

function MovedTo({ workspace: { movedTo } }: { workspace: WorkspaceDetail }): ReactNode {
  if (movedTo === null) return 'another installation'
  return (
    <a href={movedTo}>
      <Foreign>{movedTo}</Foreign>
    </a>
  )
}

type EndProps = {
  workspace: WorkspaceDetail
  what: 'trial' | 'subscription'
  endsAt: string | null
  nowMs: number
}

function EndBanner({ workspace, what, endsAt, nowMs }: EndProps): ReactNode {
  if (endsAt === null) return null
  const days = Math.ceil((Date.parse(endsAt) - nowMs) / dayMs)
  if (days > toldDays) return null
  return (
    <Banner tone="told" act={<Subscribe workspace={workspace} />}>
      The {what} ends in {formatNoun(Math.max(days, 0), 'day')}, on <ZonedTime at={endsAt} />. Then the
      workspace becomes read-only.{whoCan(workspace)}
    </Banner>
  )
}

/** Whom to ask, for people who cannot subscribe. */
function whoCan({ role, isSelfService }: WorkspaceDetail): string {
  if (!isSelfService) return ' The operator of this service sets the plan.'
  return isAllowed(role, 'manage_billing') ? '' : ' An owner can subscribe.'
}

/** Only for owners, and only where plans are sold. */
function Subscribe({ workspace }: { workspace: WorkspaceDetail }): ReactNode {
  const { slug, role, isSelfService } = workspace
  if (!isSelfService || !isAllowed(role, 'manage_billing')) return null
  return (
    <Link {...pages.billing(slug)} className={styles['act']}>
      Subscribe
    </Link>
  )
}

function Reopen({ workspace: { slug, role } }: { workspace: WorkspaceDetail }): ReactNode {
  if (!isAllowed(role, 'manage_billing')) return null
  return (
    <Link {...pages.closing(slug)} className={styles['act']}>
      Reopen
    </Link>
  )
}

type BannerProps = { tone: 'told' | 'stopped'; act?: ReactNode; children: ReactNode }

function Banner({ tone, act, children }: BannerProps): ReactNode {
  const Icon = tone === 'told' ? IconInfoCircle : IconLock
  return (
    <div role="status" className={styles['banner']} data-tone={tone}>
      <Icon size={16} aria-hidden />
      <span className={styles['words']}>{children}</span>
      {act}
    </div>
  )
}
