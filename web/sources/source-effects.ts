import type { SourceRow } from '#contract/sources/shapes.ts'

/** What an outdated source means for coverage. */
export function effectOf({ brings, lastSuccessAt }: Pick<SourceRow, 'brings' | 'lastSuccessAt'>): string {
  return effects[brings][lastSuccessAt === null ? 'never' : 'old']
}

const effects: Record<SourceRow['brings'], { never: string; old: string }> = {
  records: {
    never:
      'Components that need it are not covered: no finding among them does not mean that they have no vulnerability.',
    old: 'Components are judged by the last data that was loaded from it. Vulnerabilities published since are missing.',
  },
  exploited: {
    never: 'Vulnerabilities that it alone lists are not marked as exploited, and open no incident.',
    old: 'Vulnerabilities that it has listed since are not marked as exploited, and open no incident.',
  },
  more: {
    never: 'What it adds to findings, such as scores or other ids, is missing.',
    old: 'What it has added or changed since, such as scores or other ids, is missing.',
  },
}

/** Failing sources, those that bring findings first. */
export function failingSources(sources: readonly SourceRow[]): SourceRow[] {
  const weight = { records: 0, exploited: 1, more: 2 } as const
  return sources
    .filter(({ state }) => state === 'failing')
    .sort((a, b) => weight[a.brings] - weight[b.brings])
}
