/** A value of a draft that two people set differently. */
export type Difference = { field: string; mine: string; theirs: string }

/** Differences of two drafts by field; a part that only one has is empty in the other. */
export function differencesOf(mine: unknown, theirs: unknown): Difference[] {
  const [own, other] = [new Map(leavesOf(mine, '')), new Map(leavesOf(theirs, ''))]
  const fields = new Set([...own.keys(), ...other.keys()])
  return [...fields]
    .map((field) => ({ field, mine: own.get(field) ?? '', theirs: other.get(field) ?? '' }))
    .filter((difference) => difference.mine !== difference.theirs)
}

function leavesOf(value: unknown, field: string): [string, string][] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [[field, String(value)]]
  if (typeof value !== 'object' || value === null) return [[field, '']]
  return Object.entries(value).flatMap(([key, part]) =>
    leavesOf(part, field === '' ? key : `${field}.${key}`),
  )
}
