import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
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
import { Card } from '../kit/page/Card.tsx'
import { useNow } from '../kit/time/clock.ts'
import styles from './Checklist.module.css'
import { readinessOf, type ReadinessItem } from './readiness.ts'

/** Whether the workspace can report in time. */
export function Readiness({ overview }: { overview: IncidentOverview }): ReactNode {
  const { mail, timeZone } = useWorkspace()
  const items = readinessOf(overview, { nowMs: useNow(hourMs), goesNowhere: mail.goesNowhere, timeZone })
  return (
    <Card
      title="Ready to report"
      aside={
        <span className="dimmed">
          {items.filter(({ isDone }) => isDone).length} of {items.length} done
        </span>
      }
    >
      <ul className={styles['steps']}>
        {items.map((item) => (
          <li key={item.id} className={styles['step']} data-done={item.isDone}>
            {item.isDone ? (
              <IconCircleCheckFilled size={20} className={styles['done']} aria-label="done" />
            ) : (
              <IconCircleDashed size={20} className={styles['open']} aria-label="open" />
            )}
            <div className={styles['words']}>
              <strong>{item.name}</strong>
              <span className="dimmed">{item.why}</span>
            </div>
            <Way item={item} />
          </li>
        ))}
      </ul>
      {overview.reportsUnderCra ? <PlatformPractice /> : null}
    </Card>
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
