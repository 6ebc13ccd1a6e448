import type { DataBehind, Result, SourceBehind } from './answers.ts'
import { usageFailure } from './failure.ts'

const hourMs = 3_600_000
const units: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs }

/** Parses `24h` or `7d`. Fails as usage on anything else: a misspelt gate must not pass everything. */
export function parseAge(text: string): { text: string; ms: number } {
  const [, digits = '0', unit = 'h'] = /^(\d{1,4})([hd])$/.exec(text) ?? []
  const ms = Number(digits) * (units[unit] ?? 0)
  if (ms === 0) throw usageFailure('--max-data-age takes hours or days, such as 24h or 7d')
  return { text, ms }
}

export type MaxDataAge = ReturnType<typeof parseAge>

/** The sources behind a result that may lack recently published data. */
export function outdatedIn(data: DataBehind | null): SourceBehind[] {
  return (data?.sources ?? []).filter(({ state }) => state !== 'current')
}

/** Why a gate with an age limit cannot judge with these data; null: it can. Uses the service's clock. */
export function tooOld({ data }: Result, limit: MaxDataAge | null): string | null {
  if (limit === null) return null
  if (data === null) return 'the service does not say how old its data are'
  const asOfMs = Date.parse(data.asOf ?? '')
  const older = data.sources.filter(
    ({ lastSuccessAt }) => lastSuccessAt === null || !(asOfMs - Date.parse(lastSuccessAt) <= limit.ms),
  )
  if (older.length === 0) return null
  return `data older than ${limit.text}: ${older.map((source) => `${source.label} (${ageOf(source)})`).join(', ')}`
}

/** `failing since 2026-06-01 10:00 UTC, data of 2026-05-31 22:00 UTC` */
export function describeAge(source: SourceBehind): string {
  const failing = source.failingSince === null ? 'failing' : `failing since ${moment(source.failingSince)}`
  return [...(source.state === 'failing' ? [failing] : []), ageOf(source)].join(', ')
}

function ageOf({ lastSuccessAt }: SourceBehind): string {
  return lastSuccessAt === null ? 'never loaded' : `data of ${moment(lastSuccessAt)}`
}

/** What may be missing because a source is not current. */
export function effectOf({ brings, components, lastSuccessAt }: SourceBehind): string {
  const [listed, published] =
    lastSuccessAt === null ? ['it lists', 'it publishes'] : ['it has listed since', 'it has published since']
  if (brings === 'exploited') return `what ${listed} is not marked as exploited`
  return `what ${published} is missing, for ${components === 1 ? '1 component' : `${components ?? 0} components`}`
}

/** The displayed part of a time sent by the service. */
function moment(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2 UTC')
}
