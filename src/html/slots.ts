/**
 * Where the holes of a template are, by the states of the HTML standard's tokenizer (https://html.spec.whatwg.org/#tokenization) that a
 * template needs. Anything without safe escaping is refused: a faulty template fails on its first use.
 */
export type Slot =
  | { kind: 'text' }
  /** Inside `title` or `textarea`, where no element can be. */
  | { kind: 'plain text' }
  /** In quotes; `before` is what the template has before the hole. */
  | { kind: 'value'; attribute: string; before: string }
  /** Where attributes can be. */
  | { kind: 'attributes' }

/** Their text is not HTML: nothing put there can be escaped. */
const rawElements: ReadonlySet<string> = new Set([
  ...['script', 'style', 'iframe', 'xmp', 'noembed', 'noframes', 'noscript', 'plaintext', 'template'],
])
const plainElements: ReadonlySet<string> = new Set(['title', 'textarea'])

/** One step of the template's text: what follows at a state, and where it leads. */
type State =
  | { at: 'text'; inside: string | undefined }
  | { at: 'tag'; element: string; isEnd: boolean }
  | { at: 'value'; element: string; attribute: string; quote: string; before: string }

/** The place of each hole. Throws where a hole or the end of the template is in no place that is known to be safe. */
export function slotsOf(strings: readonly string[]): Slot[] {
  let state: State = { at: 'text', inside: undefined }
  const slots: Slot[] = []
  for (const [index, text] of strings.entries()) {
    if (slots.at(-1)?.kind === 'attributes' && !/^[\s/>]/.test(text))
      throw refused('has something directly after attributes', text)
    state = afterText(text, state)
    if (index < strings.length - 1) slots.push(slotAt(state, text))
    else if (state.at !== 'text' || state.inside !== undefined)
      throw refused('ends inside a tag or element that it began', text)
    if (state.at === 'value') state = { ...state, before: `${state.before}\0` }
  }
  return slots
}

function slotAt(state: State, text: string): Slot {
  switch (state.at) {
    case 'text':
      if (state.inside === undefined) return { kind: 'text' }
      if (plainElements.has(state.inside)) return { kind: 'plain text' }
      throw refused(`has a value inside <${state.inside}>`, text)
    case 'value':
      return { kind: 'value', attribute: state.attribute, before: state.before }
    case 'tag':
      if (!state.isEnd && /\s$/.test(text)) return { kind: 'attributes' }
      throw refused('has a value in the name of a tag or attribute, or one without quotes', text)
  }
}

function afterText(text: string, begin: State): State {
  let state = begin
  let rest = text
  while (rest !== '') {
    const [next, taken] = step(rest, state)
    state = next
    rest = rest.slice(taken)
  }
  return state
}

function step(rest: string, state: State): [State, number] {
  switch (state.at) {
    case 'text':
      return state.inside === undefined ? textStep(rest) : insideStep(rest, state.inside)
    case 'tag':
      return tagStep(rest, state)
    case 'value': {
      const end = rest.indexOf(state.quote)
      if (end === -1) return [{ ...state, before: state.before + rest }, rest.length]
      return [{ at: 'tag', element: state.element, isEnd: false }, end + 1]
    }
  }
}

function textStep(rest: string): [State, number] {
  const start = rest.indexOf('<')
  if (start === -1) return [{ at: 'text', inside: undefined }, rest.length]
  const [tag, slash, name = ''] = /^<(\/?)([a-z][a-z0-9-]*)/i.exec(rest.slice(start)) ?? []
  if (tag !== undefined)
    return [{ at: 'tag', element: name.toLowerCase(), isEnd: slash === '/' }, start + tag.length]
  const [skipped] = /^<!(?:doctype html>|--(?!-?>)[^]*?-->)/i.exec(rest.slice(start)) ?? []
  if (skipped === undefined) throw refused('has a < that begins no tag, or a value in a comment', rest)
  return [{ at: 'text', inside: undefined }, start + skipped.length]
}

/** Only its own end tag leaves an element whose content is no HTML. */
function insideStep(rest: string, inside: string): [State, number] {
  const end = rest.search(new RegExp(`</${inside}[\\s/>]`, 'i'))
  if (end === -1) return [{ at: 'text', inside }, rest.length]
  return [{ at: 'tag', element: inside, isEnd: true }, end + 2 + inside.length]
}

function tagStep(rest: string, state: State & { at: 'tag' }): [State, number] {
  const { element } = state
  if (rest.startsWith('>')) return [{ at: 'text', inside: begunBy(state) }, 1]
  const [blank] = /^[\s/]+/.exec(rest) ?? []
  if (blank !== undefined) return [state, blank.length]
  const [opened, attribute = '', quote = ''] = /^([a-z][a-z0-9:-]*)=(["'])/i.exec(rest) ?? []
  if (opened !== undefined) {
    return [{ at: 'value', element, attribute: attribute.toLowerCase(), quote, before: '' }, opened.length]
  }
  const [bare] = /^[a-z][a-z0-9:-]*(?=[\s/>])/i.exec(rest) ?? []
  if (bare === undefined) throw refused('has an attribute without quotes', rest)
  return [state, bare.length]
}

/** The element whose content, from here on, is no HTML. */
function begunBy({ element, isEnd }: State & { at: 'tag' }): string | undefined {
  return !isEnd && (rawElements.has(element) || plainElements.has(element)) ? element : undefined
}

function refused(why: string, text: string): Error {
  return new Error(`The template ${why}, near: ${text.slice(-60)}`)
}
