import type { DataBehind, SourceBehind } from './result.ts'

/** How old data are, in the words of the client (`client/src/data-age.ts`), files and mail included. */

/** The sources that may lack what was published lately. */
export function outdatedIn({ sources }: DataBehind): SourceBehind[] {
  return sources.filter(({ state }) => state !== 'current')
}

/** `OSV: npm: failing since 2026-06-01 10:00 UTC, data of 2026-05-31 22:00 UTC; what it has published since is missing, for 2 components` */
export function describeOutdated(source: SourceBehind): string {
  return `${source.label}: ${ageOf(source)}; ${effectOf(source)}`
}

/** How many of the covered components were checked with data that may lack something. */
export function describeStale({ stale }: DataBehind, covered: number): string {
  return stale === 0
    ? 'what is known to be exploited'
    : `the data of ${stale} of ${covered === 1 ? '1 checked component' : `${covered} checked components`}`
}

function ageOf({ state, failingSince, lastSuccessAt }: SourceBehind): string {
  const failing = failingSince === null ? 'failing' : `failing since ${moment(failingSince)}`
  const age = lastSuccessAt === null ? 'never loaded' : `data of ${moment(lastSuccessAt)}`
  return state === 'failing' ? `${failing}, ${age}` : age
}

function effectOf({ brings, components, lastSuccessAt }: SourceBehind): string {
  const [listed, published] =
    lastSuccessAt === null ? ['it lists', 'it publishes'] : ['it has listed since', 'it has published since']
  if (brings === 'exploited') return `what ${listed} is not marked as exploited`
  return `what ${published} is missing, for ${components === 1 ? '1 component' : `${components ?? 0} components`}`
}

/** As the client writes times. */
function moment(time: string): string {
  return time.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*$/, '$1 $2 UTC')
}
