import { CheckedUrl } from './checked-url.ts'
import { slotsOf, type Slot } from './slots.ts'

/**
 * HTML that is safe to put into a page: made by `html` and the functions beside it alone. Of libraries that were looked at
 * (`@remix-run/html-template`, `html-template-tag`, `ghtml`, that of Hono) each escapes the same way everywhere, which protects neither a link
 * to `javascript:` nor a value without quotes; this one knows where in the page a value is.
 */
export class Html {
  readonly #text: string

  constructor(text: string, made: typeof permit) {
    if (made !== permit) throw new Error('Html comes from html``.')
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** Attributes from `attributes()`, for a hole inside a tag. */
export class Attributes {
  readonly #text: string

  constructor(text: string, made: typeof permit) {
    if (made !== permit) throw new Error('Attributes come from attributes().')
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

const permit = Symbol('made')

/** null, undefined and false show nothing: a part may depend on a condition. */
export type Part =
  | string
  | number
  | Html
  | Attributes
  | CheckedUrl
  | null
  | undefined
  | false
  | readonly Part[]

/** Their value is an address that the browser goes to or loads. */
const addresses: ReadonlySet<string> = new Set([
  ...['href', 'src', 'action', 'formaction', 'poster', 'cite', 'data', 'background', 'ping', 'manifest'],
  'xlink:href',
])
/** Their value is a program, a style or a page. */
const refusedAttributes = /^(?:on.*|style|srcdoc|srcset)$/
/** An address whose server is settled by the template itself. */
const settledAddress = /^(?:[#?]|\/[^/\\\s\0]|https:\/\/[^/\\\s\0]+\/|mailto:)/

const known = new WeakMap<TemplateStringsArray, readonly Slot[]>()

/**
 * A template of HTML. Text is escaped; `Html` and lists of parts are put in as they are. It throws where a value could not be made safe: in
 * `<script>` and `<style>`, in names, without quotes, in handlers, and in an address that neither `checkedUrl` checked nor the template begins.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let slots = known.get(strings)
  if (slots === undefined) {
    slots = slotsOf(strings)
    known.set(strings, slots)
  }
  let text = strings[0] ?? ''
  for (const [index, slot] of slots.entries()) {
    text += rendered(parts[index], slot) + (strings[index + 1] ?? '')
  }
  return new Html(text, permit)
}

function rendered(part: Part, slot: Slot): string {
  if (part === null || part === undefined || part === false) return ''
  if (slot.kind === 'attributes') {
    if (part instanceof Attributes) return part.toString()
    throw new Error('Inside a tag, only attributes() can be put.')
  }
  if (part instanceof Attributes) throw new Error('attributes() can be put inside a tag only.')
  if (slot.kind === 'value') return attributeValue(slot.attribute, part, slot.before)
  if (part instanceof Html) {
    if (slot.kind === 'text') return part.toString()
    throw new Error('Inside <title> and <textarea>, only text can be put.')
  }
  if (isList(part)) return part.map((one) => rendered(one, slot)).join('')
  return escaped(String(part))
}

function isList(part: Part): part is readonly Part[] {
  return Array.isArray(part)
}

function attributeValue(name: string, part: Part, before: string): string {
  if (refusedAttributes.test(name)) throw new Error(`No value can be put into the attribute ${name}.`)
  if (part instanceof Html || isList(part)) throw new Error(`The attribute ${name} takes text, not HTML.`)
  const isSettled = part instanceof CheckedUrl ? before === '' : settledAddress.test(before)
  if (addresses.has(name) && !isSettled)
    throw new Error(
      `The attribute ${name} takes an address from checkedUrl(), or one that the template begins.`,
    )
  return escaped(String(part))
}

/** Attributes that depend on a condition: true is a bare attribute; null, undefined and false leave it out. */
export function attributes(
  values: Readonly<Record<string, string | number | CheckedUrl | boolean | null | undefined>>,
): Attributes {
  const written = Object.entries(values).flatMap(([name, value]) => {
    if (!/^[a-z][a-z0-9-]*$/.test(name)) throw new Error(`${name} is no name of an attribute.`)
    if (value === null || value === undefined || value === false) return []
    if (value === true) return refusedAttributes.test(name) ? [attributeValue(name, '', '')] : [name]
    return [`${name}="${attributeValue(name, value, '')}"`]
  })
  return new Attributes(written.join(' '), permit)
}

/** A style sheet of the program's own. Its content is exactly `css`, so that a content security policy can name its hash. */
export function styleElement(css: string): Html {
  if (/<\/style|<!--/i.test(css)) throw new Error('The style sheet would end its element.')
  return new Html(`<style>${css}</style>`, permit)
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
