import type { DraftValue, DraftValues } from '#contract/incidents/report-drafts.ts'
import { commonLineEnds, typedText } from '#contract/typed-text.ts'

/** Unsaved text of a field, and the saved value at the time typing began. */
export type FieldChange = {
  from: DraftValue | undefined
  to: DraftValue | undefined
  /** Who changed the same field meanwhile, and when; both null if the value was derived. Waits for a choice. */
  theirs?: { by: string | null; at: string | null }
}

/** By field id. */
export type DraftChanges = Readonly<Record<string, FieldChange>>

/** Whether the service treats both values as equal; it trims texts. */
export function isSame(one: DraftValue | undefined, other: DraftValue | undefined): boolean {
  return normal(one) === normal(other)
}

function normal(value: DraftValue | undefined): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return value.join('\n')
  return commonLineEnds(value).trim()
}

/** The values shown: saved ones overlaid with typed ones. */
export function shownValues(saved: DraftValues, changes: DraftChanges): DraftValues {
  return overlaid(saved, Object.entries(changes))
}

/** The values that can be saved: a field in conflict keeps the other person's text until one is chosen. */
export function savableValues(saved: DraftValues, changes: DraftChanges): DraftValues {
  return overlaid(
    saved,
    Object.entries(changes).filter(([, { theirs }]) => theirs === undefined),
  )
}

function overlaid(saved: DraftValues, changes: readonly [string, FieldChange][]): DraftValues {
  const values = new Map<string, DraftValue>(Object.entries(saved))
  for (const [field, { to }] of changes) {
    if (to === undefined || to.length === 0) values.delete(field)
    else values.set(field, to)
  }
  return Object.fromEntries(values)
}

/** Whether anything is left to save; trailing spaces do not count. */
export function hasSavable(saved: DraftValues, changes: DraftChanges): boolean {
  return Object.entries(changes).some(
    ([field, { to, theirs }]) => theirs === undefined && !isSame(to, saved[field]),
  )
}

export function hasChoices(changes: DraftChanges): boolean {
  return Object.values(changes).some(({ theirs }) => theirs !== undefined)
}

/** Records typing in a field. What is seen of the text stays exactly as typed, trailing spaces included. */
export function typed(
  saved: DraftValues,
  changes: DraftChanges,
  { field, to: given }: { field: string; to: DraftValue },
): DraftChanges {
  const to = typeof given === 'string' ? typedText(given) : given
  return { ...changes, [field]: { ...(changes[field] ?? { from: saved[field] }), to } }
}

/**
 * Rebases changes on a newer state of the draft. Fields nobody else touched stay to be saved; fields without local changes show the new
 * value; fields changed on both sides wait for a choice.
 */
export function rebased(
  changes: DraftChanges,
  saved: DraftValues,
  newest: { by: string | null; at: string | null },
): DraftChanges {
  const entries = Object.entries(changes).flatMap(([field, change]) => {
    const now = saved[field]
    if (isSame(now, change.to) || isSame(now, change.from))
      return [[field, { from: now, to: change.to }] as const]
    return [[field, { ...change, theirs: change.theirs ?? newest }] as const]
  })
  return Object.fromEntries(entries)
}

/** Changes left after `sent` was saved as `saved`: text typed meanwhile, and conflicts. */
export function afterSaving(changes: DraftChanges, sent: DraftChanges, saved: DraftValues): DraftChanges {
  const entries = Object.entries(changes).flatMap(([field, change]) => {
    if (change.theirs !== undefined || sent[field]?.theirs !== undefined) return [[field, change] as const]
    return [[field, { from: saved[field], to: change.to }] as const]
  })
  return Object.fromEntries(entries)
}

export type Choice = 'mine' | 'theirs' | 'both'

/** Own text, saved text or both, for a field in conflict. */
export function chosen(
  changes: DraftChanges,
  saved: DraftValues,
  { field, choice }: { field: string; choice: Choice },
): DraftChanges {
  const { [field]: change, ...others } = changes
  if (change === undefined || choice === 'theirs') return others
  const from = saved[field]
  const to = choice === 'both' ? joined(change.to, from) : change.to
  return isSame(to, from) ? others : { ...others, [field]: { from, to } }
}

function joined(mine: DraftValue | undefined, theirs: DraftValue | undefined): DraftValue {
  if (typeof mine === 'string' && typeof theirs === 'string') return `${mine.trimEnd()}\n\n${theirs}`
  const items = [mine, theirs].flatMap((value) => (typeof value === 'object' ? [...value] : []))
  return [...new Set(items)]
}
