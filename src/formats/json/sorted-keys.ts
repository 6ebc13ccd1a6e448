/** JSON with the keys of every object in alphabetical order, at every depth, as CSAF wants it (CSAF 2.0, 6.2.13). */
export function sortedKeys<Value>(value: Value): Value
export function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => sortedKeys(item))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]: [string, unknown]) => [key, sortedKeys(inner)]))
}
