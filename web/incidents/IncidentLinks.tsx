import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { IncidentRow } from '#contract/incidents/shapes.ts'
import { Unread } from '../kit/page/Loaded.tsx'
import { relatedIncidentsQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { formatNoun } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import styles from './IncidentLinks.module.css'
import { DrillChip, IncidentStatusChip } from './incident-marks.tsx'
import { ReportDue } from './incident-columns.tsx'

type Props = { vulnerability?: string; family?: string }

const shownLinks = 3

/** Links from a vulnerability, a finding or a family to its incidents; nothing while there are none. */
export function IncidentLinks(about: Props): ReactNode {
  const { slug } = useWorkspace()
  const asked = useQuery(relatedIncidentsQuery(slug, about))
  const incidents = asked.data
  if (incidents === undefined) return <Unread query={asked} />
  if (incidents.rows.length === 0) return null
  const more = incidents.total - shownLinks
  return (
    <ul className={styles['links']} aria-label="Incidents">
      {incidents.rows.slice(0, shownLinks).map((incident) => (
        <IncidentLine key={incident.id} incident={incident} />
      ))}
      {more > 0 ? (
        <li className={styles['link']}>
          <TextLink {...pages.incidents(slug, { ...about, status: 'all' })}>
            and {formatNoun(more, 'other incident')}
          </TextLink>
        </li>
      ) : null}
    </ul>
  )
}

function IncidentLine({ incident }: { incident: IncidentRow }): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const { id, reference, title, status, isExercise, next } = incident
  return (
    <li className={styles['link']}>
      <span className={styles['title']}>
        <IconAlertTriangle size={16} aria-hidden />
        <TextLink {...pages.incident(slug, id)}>
          {reference} <Foreign>{title}</Foreign>
        </TextLink>
      </span>
      <IncidentStatusChip status={status} />
      {isExercise ? <DrillChip /> : null}
      {next === null ? null : <ReportDue report={next} timeZone={timeZone} />}
    </li>
  )
}
