import type { CountedDay, Metrics } from '#contract/metrics/shapes.ts'
import { severities } from '#contract/severities.ts'
import { formatCount, formatDate, formatDistance, formatNoun, formatShare } from '../kit/text/format.ts'

type Open = Metrics['open'][number]['open']

export function sumOpen(open: Open | undefined): number {
  return severities.reduce((sum, severity) => sum + (open?.[severity] ?? 0), 0)
}

/** `41 findings are open, 6 more than on 24 Aug 2026`. */
export function openTitle({
  open,
  firstDay,
  knownSince,
  counted,
}: Pick<Metrics, 'open' | 'firstDay' | 'knownSince' | 'counted'>): string {
  const now = sumOpen(open.at(-1)?.open)
  if (now === 0 && !isJudged(counted.at(-1)))
    return 'Open findings are not known: no component could be checked'
  const said = `${formatNoun(now, 'finding')} ${now === 1 ? 'is' : 'are'} open`
  if (knownSince === null || knownSince > firstDay) return said
  return `${said}, ${difference(now - sumOpen(open[0]?.open), firstDay)}`
}

/** Whether anything could be checked on a day: if not, a zero means nothing. */
export function isJudged(day: CountedDay | undefined): boolean {
  return day !== undefined && day.covered > 0
}

function difference(change: number, since: string): string {
  if (change === 0) return `as many as on ${formatDate(since)}`
  return `${formatCount(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than on ${formatDate(since)}`
}

/** `3 open findings are known to be exploited`. */
export function exposureTitle({ counted }: Pick<Metrics, 'counted'>): string {
  const now = counted.at(-1)
  const exploited = now?.exploited ?? 0
  if (exploited === 0 && !isJudged(now)) return 'Exposure is not known: no component could be checked'
  if (exploited === 0) return 'No open finding is known to be exploited'
  return `${formatNoun(exploited, 'open finding')} ${exploited === 1 ? 'is' : 'are'} known to be exploited`
}

/** `94 % of the components covered`, beside a count; null where there are none. */
export function coverageNow({ counted }: Pick<Metrics, 'counted'>): string | null {
  const now = counted.at(-1)
  return now === undefined || now.components === 0
    ? null
    : `${formatShare(now.covered, now.components)} of the components covered`
}

/** `94 % of the components are covered, 88 % on 24 Aug 2026`. */
export function coverageTitle({ counted }: Pick<Metrics, 'counted'>): string {
  const now = counted.at(-1)
  if (now === undefined || now.components === 0) return 'There are no components to cover'
  const said = `${formatShare(now.covered, now.components)} of the components are covered`
  const first = counted.find(({ components }) => components > 0)
  if (first === undefined || first === now) return said
  return `${said}, ${formatShare(first.covered, first.components)} on ${formatDate(first.day)}`
}

/** `Half of the verdicts came within 2 d, half of the fixes within 14 d`. */
export function timesTitle({ all: { verdict, fix } }: Pick<Metrics, 'all'>): string {
  const verdicts =
    verdict.medianSeconds === null
      ? undefined
      : `verdicts came within ${formatSeconds(verdict.medianSeconds)}`
  const fixed = fix.medianSeconds === null ? undefined : formatSeconds(fix.medianSeconds)
  if (verdicts !== undefined && fixed !== undefined)
    return `Half of the ${verdicts}, half of the fixes within ${fixed}`
  if (verdicts !== undefined) return `Half of the ${verdicts}; nothing was fixed`
  if (fixed !== undefined) return `Half of the fixes came within ${fixed}; no verdict was given`
  return 'No verdict was given and nothing was fixed in this period'
}

/** `3 d 4 h`; – where there is nothing to measure. */
export function formatSeconds(seconds: number | null): string {
  return seconds === null ? '–' : formatDistance(seconds * 1000)
}
