import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { hourMs } from '#contract/durations.ts'
import type { WorkspaceDetail } from '#contract/workspace/shapes.ts'
import type { IncidentOverview } from '#contract/incidents/waiting.ts'
import { changeRegimeSettings } from '#contract/incidents/operations.ts'
import { destinationRefusal, refusal } from '../workspaces/access.ts'
import type { Refusal } from '../kit/actions/ActionButton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ActionLink } from '../kit/actions/ActionLink.tsx'
import { PlatformPractice } from '../incidents/PlatformPractice.tsx'
import { useNow } from '../kit/time/clock.ts'
import { StepsCard } from './StepsCard.tsx'
import { readinessOf, type ReadinessItem } from './readiness.ts'

/** Whether the workspace can report in time. */
export function Readiness({ overview }: { overview: IncidentOverview }): ReactNode {
  const { mail, timeZone } = useWorkspace()
  const items = readinessOf(overview, { nowMs: useNow(hourMs), goesNowhere: mail.goesNowhere, timeZone })
  return (
    <StepsCard title="Ready to report" steps={items} list="ul" wayTo={(item) => <Way item={item} />}>
      {overview.reportsUnderCra ? <PlatformPractice /> : null}
    </StepsCard>
  )
}

function Way({ item }: { item: ReadinessItem }): ReactNode {
  const workspace = useWorkspace()
  const way = item.isDone ? undefined : wayTo(item, workspace)
  if (way === undefined) return null
  return (
    <ActionLink link={way.link} refused={way.refused} size="xs" variant="default">
      {way.verb}
    </ActionLink>
  )
}

type Way = { verb: string; link: LinkOptions; refused: Refusal }

function wayTo({ id }: ReadinessItem, workspace: WorkspaceDetail): Way | undefined {
  const { slug } = workspace
  const toRegimes = {
    link: pages.regimes(slug),
    refused: refusal(workspace, changeRegimeSettings.permission),
  }
  switch (id) {
    case 'destination':
      return {
        verb: 'Add one',
        link: pages.notifications(slug, { dialog: 'add' }),
        refused: destinationRefusal(workspace, 'Adding'),
      }
    case 'csirt':
      return { verb: 'Store it', ...toRegimes }
    case 'authorities':
      return { verb: 'Store them', ...toRegimes }
    case 'account':
    case 'representative':
    case 'backups':
      return { verb: 'Confirm it', ...toRegimes }
    case 'drill':
      return {
        verb: 'Start a drill',
        link: pages.incidents(slug, { dialog: 'drill' }),
        refused: refusal(workspace, 'work_on_incidents'),
      }
    case 'approvers':
      return undefined
  }
}
