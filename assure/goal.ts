import type { Outcome } from '../test/reliability/scenarios/outcome.ts'

/** What a figure may be. */
export type Bound = { atMost: number } | { atLeast: number } | { below: number } | { exactly: number }

/** One promise of docs/reliability.md, tried in full. */
export type Goal = {
  /** As in docs/reliability.md. */
  number: number
  title: string
  /** Figures without a bound are shown and not judged. */
  bounds: Record<string, Bound>
  run: () => Promise<Outcome>
}

export type Judgement = { held: boolean; line: string }

/** One line: whether the goal held, and every figure with its bound. A figure that is missing has not held. */
export function judge({ number, title, bounds }: Goal, { figures, failures }: Outcome): Judgement {
  const missed = Object.keys(bounds).filter((name) => !holds(figures[name], bounds[name]))
  const shown = Object.entries(figures).map(([name, value]) => {
    const bound = bounds[name]
    const said = `${name} ${format(value)}${bound === undefined ? '' : ` (${words(bound)})`}`
    return missed.includes(name) ? `MISSED ${said}` : said
  })
  const absent = missed.filter((name) => figures[name] === undefined).map((name) => `MISSING ${name}`)
  const held = missed.length === 0 && failures.length === 0
  const head = `${held ? 'held  ' : 'MISSED'} ${String(number).padStart(2)} ${title}: `
  return { held, line: head + [...shown, ...absent, ...countEqual(failures)].join(', ') }
}

function holds(value: number | undefined, bound: Bound | undefined): boolean {
  if (value === undefined || bound === undefined) return false
  if ('atMost' in bound) return value <= bound.atMost
  if ('atLeast' in bound) return value >= bound.atLeast
  if ('below' in bound) return value < bound.below
  return value === bound.exactly
}

function words(bound: Bound): string {
  if ('atMost' in bound) return `at most ${bound.atMost}`
  if ('atLeast' in bound) return `at least ${bound.atLeast}`
  if ('below' in bound) return `below ${bound.below}`
  return `exactly ${bound.exactly}`
}

function format(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value >= 10 ? 0 : 2)
}

/** The same failure a hundred times is one line. */
function countEqual(failures: readonly string[]): string[] {
  const counts = Map.groupBy(failures, (failure) => failure)
  return [...counts].map(([failure, equal]) => (equal.length > 1 ? `${equal.length} × ${failure}` : failure))
}
