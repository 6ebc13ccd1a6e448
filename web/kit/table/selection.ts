/** Rows selected for an act on many. Ids, because rows that are not rendered stay selected. */
export type Selection<Row> = {
  selected: ReadonlySet<string>
  onSelect: (next: ReadonlySet<string>) => void
  /** Accessible name of the row's checkbox. */
  rowName: (row: Row) => string
  /** No more than this many can be selected. */
  max: number
}

/** Toggles a row; a full selection takes no more. */
export function toggled(selected: ReadonlySet<string>, id: string, max: number): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(id) && next.size < max) next.add(id)
  return next
}

/** The header checkbox: selects all loaded rows, or none if all are selected. */
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
