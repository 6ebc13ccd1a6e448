import { withoutLeadingZeros } from '../compare.ts'

/** Maven reads a version as a list of numbers and words in which a hyphen opens a list inside the list. */
export type Item =
  | { kind: 'number'; digits: string }
  | { kind: 'qualifier'; word: string }
  | { kind: 'list'; items: readonly Item[] }

type List = { kind: 'list'; items: Item[] }

const zero: Item = { kind: 'number', digits: '0' }

const aliases = new Map([
  ['ga', ''],
  ['final', ''],
  ['release', ''],
  ['cr', 'rc'],
])
const abbreviations = new Map([
  ['a', 'alpha'],
  ['b', 'beta'],
  ['m', 'milestone'],
])

/** Lists in the order in which they were opened; the last one takes the next item. */
class OpenLists {
  readonly #lists: List[] = [{ kind: 'list', items: [] }]
  readonly #root = this.#lists[0]

  add(item: Item): void {
    this.#lists.at(-1)?.items.push(item)
  }

  open(): void {
    const list: List = { kind: 'list', items: [] }
    this.add(list)
    this.#lists.push(list)
  }

  /** `.X` is read as `-X` for any word X that a digit or the end of the version follows. */
  openForWord(): void {
    if (this.#lists.at(-1)?.items.length !== 0) this.open()
  }

  /** Drops from every list, the inmost first, what equals nothing at its end. */
  close(): readonly Item[] {
    for (const list of this.#lists.toReversed()) dropNothings(list)
    return this.#root?.items ?? []
  }
}

/** The items of a lower-cased version. A change between digits and letters separates like a hyphen. */
export function itemsOf(version: string): readonly Item[] {
  const lists = new OpenLists()
  let pending = ''
  for (const token of version.match(/\d+|[^\d.-]+|[.-]/g) ?? []) {
    if (token === '.' || token === '-') {
      lists.add(pending === '' ? zero : itemOf(pending))
      if (token === '-') lists.open()
      pending = ''
      continue
    }
    if (pending !== '') endAtTransition(lists, pending)
    pending = token
  }
  if (pending !== '') {
    if (!isNumber(pending)) lists.openForWord()
    lists.add(itemOf(pending))
  }
  return lists.close()
}

function endAtTransition(lists: OpenLists, pending: string): void {
  if (isNumber(pending)) lists.add(itemOf(pending))
  else {
    lists.openForWord()
    lists.add({ kind: 'qualifier', word: qualifierOf(abbreviations.get(pending) ?? pending) })
  }
  lists.open()
}

function itemOf(text: string): Item {
  return isNumber(text) ? { kind: 'number', digits: text } : { kind: 'qualifier', word: qualifierOf(text) }
}

function qualifierOf(word: string): string {
  return aliases.get(word) ?? word
}

function isNumber(text: string): boolean {
  return /^\d/.test(text)
}

/** Lists that hold something do not end the search: in `1.0-x` the zero before the list is dropped. */
function dropNothings(list: List): void {
  const kept: Item[] = []
  let at = list.items.length - 1
  for (; at >= 0; at -= 1) {
    const item = list.items[at]
    if (item === undefined || isNothing(item)) continue
    if (item.kind !== 'list') break
    kept.push(item)
  }
  list.items.splice(at + 1, list.items.length, ...kept.toReversed())
}

function isNothing(item: Item): boolean {
  if (item.kind === 'number') return withoutLeadingZeros(item.digits) === ''
  return item.kind === 'qualifier' ? item.word === '' : item.items.length === 0
}
