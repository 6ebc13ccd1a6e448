/**
 * Each row once, at its first place: one that a change has moved between two readings is on both pages, and two rows of one id would be
 * drawn, selected and counted as two. Undefined stays so.
 */
export function distinctRows<Row>(rows: Row[] | undefined, rowId: (row: Row) => string): Row[] | undefined {
  if (rows === undefined) return undefined
  const seen = new Set<string>()
  return rows.filter((row) => {
    const id = rowId(row)
    return !seen.has(id) && seen.add(id)
  })
}
