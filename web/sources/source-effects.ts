import type { SourceRow } from '#contract/sources/shapes.ts'

type Dated = Pick<SourceRow, 'brings' | 'lastSuccessAt'>

/** What an outdated source means for coverage. */
export function effectOf(source: Dated): string {
  return effects[source.brings][ageOf(source)].one
}

type Effect = Record<'one' | 'several', string>

const effects: Record<SourceRow['brings'], Record<'never' | 'old', Effect>> = {
  records: {
    never: {
      one: 'Components that need it are not covered: no finding among them does not mean that they have no vulnerability.',
      several:
        'Components that need them are not covered: no finding among them does not mean that they have no vulnerability.',
    },
    old: {
      one: 'Components are judged by the last data that was loaded from it. Vulnerabilities published since are missing.',
      several:
        'Components are judged by the last data that was loaded from them. Vulnerabilities published since are missing.',
    },
  },
  exploited: {
    never: {
      one: 'Vulnerabilities that it alone lists are not marked as exploited, and open no incident.',
      several: 'Vulnerabilities that they alone list are not marked as exploited, and open no incident.',
    },
    old: {
      one: 'Vulnerabilities that it has listed since are not marked as exploited, and open no incident.',
      several:
        'Vulnerabilities that they have listed since are not marked as exploited, and open no incident.',
    },
  },
  more: {
    never: {
      one: 'What it adds to findings, such as scores or other ids, is missing.',
      several: 'What they add to findings, such as scores or other ids, is missing.',
    },
    old: {
      one: 'What it has added or changed since, such as scores or other ids, is missing.',
      several: 'What they have added or changed since, such as scores or other ids, is missing.',
    },
  },
}

function ageOf({ lastSuccessAt }: Dated): 'never' | 'old' {
  return lastSuccessAt === null ? 'never' : 'old'
}

/** Failing sources whose failure means the same. */
export type FailingGroup = {
  sources: SourceRow[]
  effect: string
  /** Since the first of them has failed; null: not known. */
  since: string | null
  /** The oldest of their data; null: nothing has been loaded from them. */
  dataOf: string | null
  /** Why the last attempts failed, each reason once. */
  errors: string[]
}

/** Failing sources by what that means, those that bring findings first. */
export function failingGroups(sources: readonly SourceRow[]): FailingGroup[] {
  const failing = sources.filter(({ state }) => state === 'failing')
  return (['records', 'exploited', 'more'] as const)
    .flatMap((brings) => (['never', 'old'] as const).map((age) => ({ brings, age })))
    .flatMap(({ brings, age }) => {
      const alike = failing.filter((source) => source.brings === brings && ageOf(source) === age)
      return alike.length === 0 ? [] : [groupOf(alike, effects[brings][age])]
    })
}

function groupOf(sources: SourceRow[], { one, several }: Effect): FailingGroup {
  return {
    sources,
    effect: sources.length === 1 ? one : several,
    since: earliest(sources.map(({ failingSince }) => failingSince)),
    dataOf: earliest(sources.map(({ lastSuccessAt }) => lastSuccessAt)),
    errors: [...new Set(sources.flatMap(({ lastError }) => lastError ?? []))],
  }
}

function earliest(times: readonly (string | null)[]): string | null {
  return times.filter((at) => at !== null).toSorted()[0] ?? null
}
