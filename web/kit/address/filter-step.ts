/** Parameters that open something beside the list; its own button closes it. */
const openings = new Set([
  'component',
  'destination',
  'dialog',
  'event',
  'finding',
  'member',
  'problem',
  'refusal',
  'source',
  'statement',
  'token',
])

type Searched = Readonly<Record<string, unknown>>

/**
 * How the address changes from one search to the next: a new filter or order is a history entry; further typing, and opening or closing
 * something beside the list, is not.
 */
export function filterStep(from: Searched, to: Searched): { replace: boolean; resetScroll: false } {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  const changed = names.filter((name) => from[name] !== to[name] && !openings.has(name))
  const isTypedOn =
    changed.length === 1 && changed[0] === 'search' && isText(from['search']) && isText(to['search'])
  return { replace: changed.length === 0 || isTypedOn, resetScroll: false }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
