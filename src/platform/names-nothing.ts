/** Whether a change names no field. Such a change is accepted, alters nothing and leaves no trace. */
export function namesNothing(change: Readonly<Record<string, unknown>>): boolean {
  return Object.values(change).every((value) => value === undefined)
}
