/**
 * Each row once, at its first position: a row that moved between two requests is on both pages, and two rows with one id would be drawn,
 * selected and counted twice. Undefined stays undefined.
 */
export function distinctRows<Row>(rows: Row[] | undefined, rowId: (row: Row) => string): Row[] | undefined {
  if (rows === undefined) return undefined
  const seen = new Set<string>()
  return rows.filter((row) => {
    const id = rowId(row)
    return !seen.has(id) && seen.add(id)
  })
}
