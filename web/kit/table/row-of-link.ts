/** The number of the row whose link this is. */
export function rowOfLink(target: EventTarget): number | undefined {
  if (!(target instanceof HTMLElement) || !target.hasAttribute('data-row-link')) return undefined
  const row = target.closest<HTMLElement>('[data-row]')?.dataset['row']
  return row === undefined ? undefined : Number(row)
}
