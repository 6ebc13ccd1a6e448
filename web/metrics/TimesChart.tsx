import type { ReactNode } from 'react'
import type { Duration, Metrics, SeverityTimes } from '#contract/metrics/shapes.ts'
import { SeverityMark } from '../findings/Severity.tsx'
import { formatCount } from '../kit/text/format.ts'
import type { Column } from '../kit/table/column.ts'
import { RangeBar } from '../kit/chart/RangeBar.tsx'
import { Part } from './Part.tsx'
import styles from './TimesChart.module.css'
import { formatSeconds, timesTitle } from './words.ts'

type Times = Omit<SeverityTimes, 'severity'> & { severity: SeverityTimes['severity'] | null }

const columns: Column<Times>[] = [
  {
    id: 'severity',
    header: 'Severity',
    cell: ({ severity }) => (severity === null ? 'All' : <SeverityMark severity={severity} />),
  },
  count('verdicts', 'Verdicts', ({ verdict }) => verdict.count, 'sm'),
  time('verdict', 'Median', ({ verdict }) => verdict.medianSeconds),
  time('verdict90', '9 of 10 within', ({ verdict }) => verdict.p90Seconds, 'sm'),
  count('before', 'Before it was seen', ({ verdictBefore }) => verdictBefore, 'lg'),
  count('fixes', 'Fixes', ({ fix }) => fix.count, 'sm'),
  time('fix', 'Median', ({ fix }) => fix.medianSeconds),
  time('fix90', '9 of 10 within', ({ fix }) => fix.p90Seconds, 'sm'),
  count('waiting', 'No verdict yet', ({ waiting }) => waiting.count, 'md'),
  time('waitingFor', 'Waiting (median)', ({ waiting }) => waiting.medianSeconds, 'lg'),
]

type From = Column<Times>['from']

function count(id: string, header: string, of: (times: Times) => number, from?: From): Column<Times> {
  return column({ id, header, cell: (times) => formatCount(of(times)) }, from)
}

function time(id: string, header: string, of: (times: Times) => number | null, from?: From): Column<Times> {
  return column({ id, header, cell: (times) => formatSeconds(of(times)) }, from)
}

function column(of: Pick<Column<Times>, 'id' | 'header' | 'cell'>, from: From): Column<Times> {
  return { ...of, widthPx: 112, align: 'right', ...(from === undefined ? {} : { from }) }
}

/** How long verdicts and fixes took, by severity. */
export function TimesChart({ metrics }: { metrics: Metrics }): ReactNode {
  const { times, all } = metrics
  const rows: Times[] = [...times, { severity: null, ...all }]
  // what has neither a verdict nor a fix is a line of the table: its title and the other bars say it
  const measured = rows.filter(
    ({ verdict, fix }) => verdict.medianSeconds !== null || fix.medianSeconds !== null,
  )
  const longest = Math.max(
    1,
    ...rows.flatMap(({ verdict, fix }) => [verdict.p90Seconds ?? 0, fix.p90Seconds ?? 0]),
  )
  return (
    <Part
      title={timesTitle(metrics)}
      about="From when a finding was first seen: to its first verdict, and until its product no longer had it or a verdict declared it fixed. Findings with a verdict from before they were seen, retired versions and findings declared not affected are not in these times. A finding that ended because the vulnerability data changed counts as fixed."
      table={{ label: 'Times by severity', columns, rows, rowId: ({ severity }) => severity ?? 'all' }}
    >
      {measured.length === 0 ? null : (
        <div className={styles['chart']}>
          {measured.map((row) => (
            <div key={row.severity ?? 'all'} className={styles['row']}>
              <span className={styles['name']}>
                {row.severity === null ? 'All' : <SeverityMark severity={row.severity} />}
              </span>
              <div className={styles['bars']}>
                <Measured what="verdict" duration={row.verdict} longest={longest} />
                <Measured what="fix" duration={row.fix} longest={longest} />
              </div>
            </div>
          ))}
        </div>
      )}
    </Part>
  )
}

type MeasuredProps = { what: 'verdict' | 'fix'; duration: Duration; longest: number }

function Measured({ what, duration, longest }: MeasuredProps): ReactNode {
  const { count: counted, medianSeconds, p90Seconds } = duration
  if (medianSeconds === null || p90Seconds === null) {
    return <span className={styles['none']}>{what === 'verdict' ? 'no verdict' : 'no fix'}</span>
  }
  const words = `half within ${formatSeconds(medianSeconds)}, 9 of 10 within ${formatSeconds(p90Seconds)}`
  return (
    <span className={styles['bar']}>
      <RangeBar median={medianSeconds / longest} p90={p90Seconds / longest} isHatched={what === 'fix'} />
      <span className={styles['words']}>
        {formatCount(counted)}{' '}
        {what === 'verdict' ? plural(counted, 'verdict') : plural(counted, 'fix', 'fixes')}: {words}
      </span>
    </span>
  )
}

function plural(counted: number, one: string, many = `${one}s`): string {
  return counted === 1 ? one : many
}
