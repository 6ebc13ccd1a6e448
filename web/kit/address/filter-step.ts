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

/** Whether a drawer is open. A dialog is none: an act in it may lead to another page, where Back must not open it again. */
export function opensBeside(search: Searched): boolean {
  return Object.keys(search).some(
    (name) => name !== 'dialog' && openings.has(name) && search[name] !== undefined,
  )
}

/**
 * How the address changes from one search to the next: a new filter or order is a history entry; further typing is not, nor what is open
 * beside the list (useSteps).
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
