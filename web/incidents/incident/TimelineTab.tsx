import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { entryWords } from '#contract/incidents/entry-words.ts'
import type { IncidentDetail, IncidentEntry } from '#contract/incidents/shapes.ts'
import { entriesQuery } from '../queries.ts'
import { listedRows } from '../../kit/api/listed.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { MoreButton } from '../../kit/actions/MoreButton.tsx'
import { BothTimes } from '../../kit/time/Countdown.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import styles from './TimelineTab.module.css'

type Props = { incident: IncidentDetail; only?: IncidentEntry['kind'] }

/** The timeline, newest first. It is append-only. */
export function TimelineTab({ incident, only }: Props): ReactNode {
  const { slug } = useWorkspace()
  const entries = listedRows(useInfiniteQuery(entriesQuery(slug, incident.id)))
  const { rows = [], onMore, onRetry } = entries
  const shown = only === undefined ? rows : rows.filter(({ kind }) => kind === only)
  return (
    <>
      <Problem error={entries.error} onRetry={onRetry} />
      <ol className={styles['entries']} aria-label={only === undefined ? 'Timeline' : 'Comments'}>
        {shown.map((entry) => (
          <li key={entry.id} className={styles['entry']}>
            <div className={styles['when']}>
              <BothTimes at={entry.at} timeZone={incident.timeZone} />
            </div>
            <div className={styles['what']}>
              <span className={styles['line']}>
                <ForeignLines>{entryWords(entry)}</ForeignLines>
              </span>{' '}
              <span className="dimmed">
                <Foreign>{entry.actor.name}</Foreign>
              </span>
            </div>
          </li>
        ))}
      </ol>
      <MoreButton onMore={onMore} isLoading={entries.isReadingMore}>
        Show earlier ones
      </MoreButton>
    </>
  )
}
