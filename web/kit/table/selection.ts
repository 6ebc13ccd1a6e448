/** Rows chosen for an act on many. Ids, because rows out of sight stay chosen. */
export type Selection<Row> = {
  selected: ReadonlySet<string>
  onSelect: (next: ReadonlySet<string>) => void
  /** Names the row for those who hear the box. */
  rowName: (row: Row) => string
  /** More than this many cannot be chosen at once. */
  max: number
}

/** Puts a row in or takes it out; a full selection takes no more. */
export function toggled(selected: ReadonlySet<string>, id: string, max: number): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(id) && next.size < max) next.add(id)
  return next
}

/** What the box in the head does: all of the rows that are here, or none when they are all in. */
export function toggledAll(
  selected: ReadonlySet<string>,
  ids: readonly string[],
  max: number,
): ReadonlySet<string> {
  const next = new Set(selected)
  if (ids.every((id) => next.has(id))) {
    for (const id of ids) next.delete(id)
    return next
  }
  for (const id of ids) if (next.size < max) next.add(id)
  return next
}
