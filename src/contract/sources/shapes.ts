import { Type, type Static } from 'typebox'
import { time, nullable } from '../schema.ts'
import { dayMs } from '../durations.ts'

/**
 * How an attempt at a source of vulnerability data ended. `unchanged`: its publisher has nothing newer, or nothing of it is in use. There is no
 * other end, and before the first one there is none.
 */
export const sourceOutcomes = ['new_data', 'unchanged', 'error'] as const
export type SourceOutcome = (typeof sourceOutcomes)[number]

/**
 * What a source of vulnerability data is good for now. `ok`: all that its publisher has was taken over; `failing`: the last attempt failed, and
 * what was loaded before stays in use; `partial`: only some of its records were loaded, so that it covers nothing; `never`: nothing has been
 * loaded yet; `no_source`: its publisher has no such data; `off`: it is switched off and nothing was loaded by hand.
 */
export const sourceStates = ['ok', 'failing', 'partial', 'never', 'no_source', 'off'] as const
export type SourceState = (typeof sourceStates)[number]

/** `records`: what findings come from; `exploited`: which of them are known to be exploited; `more`: what else is said of them. */
export const SourceBrings = Type.Enum(['records', 'exploited', 'more'])
export type SourceBrings = Static<typeof SourceBrings>

/** Words for people, on every page. */
export const sourceStateWords: Readonly<Record<SourceState, string>> = {
  ok: 'current',
  failing: 'failing',
  partial: 'partly loaded',
  never: 'never loaded',
  no_source: 'no source',
  off: 'switched off',
}

const oldMs = dayMs
export const oldSourceWord = 'old'

/** Whether a source that is `ok` is shown as old: data older than a day misses what became known since. */
export function isOldSource(
  { state, lastSuccessAt }: { state: SourceState; lastSuccessAt: string | Date | null },
  nowMs: number,
): boolean {
  return state === 'ok' && lastSuccessAt !== null && nowMs - new Date(lastSuccessAt).getTime() > oldMs
}

export const SourceRow = Type.Object({
  name: Type.String(),
  /** Words for people: "OSV: PyPI", "CISA KEV". */
  label: Type.String(),
  records: Type.Number(),
  state: Type.Enum(sourceStates),
  /** What it is for: `records` findings come from, which of them are `exploited`, or `more` about them. */
  brings: SourceBrings,
  lastSuccessAt: nullable(time),
  lastAttemptAt: nullable(time),
  /** How the last attempt ended; null before the first, and while one is under way. */
  lastOutcome: nullable(Type.Enum(sourceOutcomes)),
  /** Why the last attempt failed. */
  lastError: nullable(Type.String()),
  /** Since when attempts have failed; null where it is not known, and while they do not. */
  failingSince: nullable(Type.String()),
})
export type SourceRow = Static<typeof SourceRow>

/**
 * Sources that are shared by all workspaces, and of those in parts what this workspace uses. `switchedOff`: labels of the sources that the
 * configuration turns off.
 */
export const SourceList = Type.Object({
  sources: Type.Array(SourceRow),
  switchedOff: Type.Array(Type.String()),
})
export type SourceList = Static<typeof SourceList>
