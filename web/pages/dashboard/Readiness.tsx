import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { IncidentOverview } from '../../../src/contract/incidents/waiting.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import { Card } from '../../ui/page/Card.tsx'
import { useNow } from '../../ui/text/clock.ts'
import { ButtonLink } from '../../ui/text/links.tsx'
import styles from './Checklist.module.css'
import { readinessOf, type ReadinessItem } from './readiness.ts'

const hourMs = 3_600_000

/** Whether the workspace can report in time. */
export function Readiness({ overview }: { overview: IncidentOverview }): ReactNode {
  const { slug } = useWorkspace()
  const items = readinessOf(overview, useNow(hourMs))
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
            <Way item={item} slug={slug} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Way({ item, slug }: { item: ReadinessItem; slug: string }): ReactNode {
  const way = item.isDone ? undefined : wayTo(item, slug)
  if (way === undefined) return null
  return (
    <ButtonLink {...way.link} size="xs" variant="default">
      {way.verb}
    </ButtonLink>
  )
}

function wayTo({ id }: ReadinessItem, slug: string): { verb: string; link: LinkOptions } | undefined {
  if (id === 'destination') return { verb: 'Add one', link: pages.notifications(slug, { dialog: 'add' }) }
  if (id === 'csirt') return { verb: 'Store it', link: pages.regimes(slug) }
  if (id === 'authorities') return { verb: 'Store them', link: pages.regimes(slug) }
  if (id === 'account' || id === 'representative' || id === 'backups')
    return { verb: 'Confirm it', link: pages.regimes(slug) }
  if (id === 'drill') return { verb: 'Start a drill', link: pages.incidents(slug, { dialog: 'open' }) }
  return undefined
}
