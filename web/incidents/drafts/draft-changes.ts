import type { DraftValue, DraftValues } from '#contract/incidents/report-drafts.ts'

/** What was typed into a field and is not saved, over what it said when the typing began. */
export type FieldChange = {
  from: DraftValue | undefined
  to: DraftValue | undefined
  /** Who changed the same field meanwhile, and when: null, null where it follows from what is known. It waits for a person's choice. */
  theirs?: { by: string | null; at: string | null }
}

/** By the id of the field. */
export type DraftChanges = Readonly<Record<string, FieldChange>>

/** Whether a field says the same to the service, which trims texts. */
export function isSame(one: DraftValue | undefined, other: DraftValue | undefined): boolean {
  return normal(one) === normal(other)
}

function normal(value: DraftValue | undefined): string {
  if (value === undefined) return ''
  if (typeof value !== 'string') return value.join('\n')
  return value.replaceAll(/\r\n?/g, '\n').trim()
}

/** What the fields show: what is saved, and over it what was typed. */
export function shownValues(saved: DraftValues, changes: DraftChanges): DraftValues {
  return overlaid(saved, Object.entries(changes))
}

/** What can be saved: a field that somebody else changed too keeps their text until one is chosen. */
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

/** Whether something is left to save: spaces at the end of a text are not. */
export function hasSavable(saved: DraftValues, changes: DraftChanges): boolean {
  return Object.entries(changes).some(
    ([field, { to, theirs }]) => theirs === undefined && !isSame(to, saved[field]),
  )
}

export function hasChoices(changes: DraftChanges): boolean {
  return Object.values(changes).some(({ theirs }) => theirs !== undefined)
}

/** A field was typed into. Its text stays as it was typed, to the last space. */
export function typed(
  saved: DraftValues,
  changes: DraftChanges,
  { field, to }: { field: string; to: DraftValue },
): DraftChanges {
  return { ...changes, [field]: { ...(changes[field] ?? { from: saved[field] }), to } }
}

/**
 * The same changes over a newer state of the draft. What nobody else touched stays to be saved; what others wrote where nothing was typed is
 * simply shown; where both wrote, the change waits for a choice.
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

/** The changes that are left once `sent` is saved as `saved`: what was typed meanwhile, and what waits for a choice. */
export function afterSaving(changes: DraftChanges, sent: DraftChanges, saved: DraftValues): DraftChanges {
  const entries = Object.entries(changes).flatMap(([field, change]) => {
    if (change.theirs !== undefined || sent[field]?.theirs !== undefined) return [[field, change] as const]
    return [[field, { from: saved[field], to: change.to }] as const]
  })
  return Object.fromEntries(entries)
}

export type Choice = 'mine' | 'theirs' | 'both'

/** One's own text, what is saved, or one under the other, for a field that two people wrote in. */
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
