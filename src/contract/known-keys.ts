/** The keys of a table, which has no others than its type names. */
export function knownKeys<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[]
}
