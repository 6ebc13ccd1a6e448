import type { ReactNode } from 'react'
import { formatDate } from '../text/format.ts'
import {
  drawBridges,
  drawSteps,
  endOf,
  gapsIn,
  placeOf,
  plotHeight,
  plotWidth,
  pointsSince,
  spreadLabels,
  type Days,
  type Drawing,
  type Gap,
  type Point,
} from './drawing.ts'
import { gapWords } from './gap-words.ts'
import styles from './LineChart.module.css'

/** One line: told apart by its label at the end and by its dashes, not by colour alone. */
export type Line = { name: string; color: string; dash: string; points: Point[] }

type Props = Days & {
  /** Accessible name of the chart. */
  label: string
  lines: Line[]
  /** The value at the top. */
  top: number
  format: (value: number) => string
  /** The first day with data, and what to say about the days before. null: there is no data. */
  known: { since: string | null; before: string }
  holds: boolean
}

/** Share of the plot height, so that labels do not overlap. */
const labelRoom = 0.1

/** Lines over the days of a period, labelled with their last values. */
export function LineChart({ label, lines, top, format, known, holds, ...days }: Props): ReactNode {
  const drawn = lines.map((line) => ({
    ...line,
    points:
      known.since === null
        ? []
        : holds
          ? pointsSince(line.points, later(known.since, days.firstDay))
          : line.points,
  }))
  const shown = drawn.filter(({ points }) => points.length > 0)
  const gaps = holds ? [] : gapsIn(shown[0]?.points ?? [], days.lastDay)
  const places = spreadLabels(
    shown.map(({ points }) => 1 - (points.at(-1)?.value ?? 0) / top),
    labelRoom,
  )
  return (
    <div className={styles['chart']}>
      <div className={styles['scale']} aria-hidden>
        <span>{format(top)}</span>
        <span>{format(0)}</span>
      </div>
      <div className={styles['plot']}>
        <Unknown known={known} days={days} />
        <Gaps gaps={gaps} days={days} />
        <Lines label={label} lines={shown} drawing={{ ...days, top, holds }} />
      </div>
      <ul className={styles['labels']} aria-hidden>
        {shown.map((line, at) => (
          <li key={line.name} className={styles['label']} style={{ top: `${(places[at] ?? 0) * 100}%` }}>
            <Sample line={line} />
            <span>
              <b>{format(line.points.at(-1)?.value ?? 0)}</b> {line.name}
            </span>
          </li>
        ))}
      </ul>
      <div className={styles['days']} aria-hidden>
        <span>{formatDate(days.firstDay)}</span>
        <span>{formatDate(days.lastDay)}</span>
      </div>
      {gaps.length === 0 ? null : (
        <p className={styles['gapWords']}>
          <span className={styles['gapSample']} aria-hidden /> {gapWords(gaps)}
        </p>
      )}
    </div>
  )
}

type LinesProps = { label: string; lines: Line[]; drawing: Drawing }

/** The lines, and below them the bridges over days without data. */
function Lines({ label, lines, drawing }: LinesProps): ReactNode {
  return (
    <svg
      className={styles['lines']}
      viewBox={`0 0 ${plotWidth} ${plotHeight}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {drawing.holds
        ? null
        : lines.map(({ name, color, points }) => (
            <path
              key={`${name} bridged`}
              className={styles['bridge']}
              d={drawBridges(points, drawing)}
              style={{ stroke: color }}
            />
          ))}
      {lines.map(({ name, color, dash, points }) => (
        <path
          key={name}
          className={styles['line']}
          d={drawSteps(points, drawing)}
          style={{ stroke: color, strokeDasharray: dash }}
        />
      ))}
    </svg>
  )
}

/** A sample of a line, beside its name. */
function Sample({ line: { color, dash } }: { line: Line }): ReactNode {
  return (
    <svg className={styles['sample']} viewBox="0 0 24 6" width="24" height="6">
      <path className={styles['line']} d="M0,3H24" style={{ stroke: color, strokeDasharray: dash }} />
    </svg>
  )
}

/** The days before there was data, hatched and labelled. */
function Unknown({ known: { since, before }, days }: Pick<Props, 'known'> & { days: Days }): ReactNode {
  const share = since === null ? 1 : placeOf(since, days)
  if (share === 0) return null
  return (
    <div className={styles['unknown']} style={{ width: `${share * 100}%` }}>
      {share < 0.2 ? null : <span>{before}</span>}
    </div>
  )
}

/** The days in between without data, hatched; the text below lists them. */
function Gaps({ gaps, days }: { gaps: readonly Gap[]; days: Days }): ReactNode {
  return gaps.map(({ firstDay, lastDay }) => {
    const start = placeOf(firstDay, days)
    const width = endOf(lastDay, days) - start
    return (
      <div
        key={firstDay}
        className={styles['unknown']}
        style={{ insetInlineStart: `${start * 100}%`, width: `${width * 100}%` }}
      />
    )
  })
}

function later(one: string, other: string): string {
  return one > other ? one : other
}
