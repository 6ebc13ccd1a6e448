import { packageKey } from './purl/package-key.ts'
import { decodePercent } from './purl/purl.ts'

/** One attribute of a CPE name. ANY (`*`) and NA (`-`) are logical values, not texts (NISTIR 7695, 5.3.1). */
export type CpeValue =
  | { kind: 'any' }
  | { kind: 'na' }
  /** Lower case, unescaped; `hasWildcard` when an unescaped `*` or `?` widens it. */
  | { kind: 'text'; text: string; hasWildcard: boolean }

/** In the order of the formatted string binding. */
export const cpeAttributes = [
  'part',
  'vendor',
  'product',
  'version',
  'update',
  'edition',
  'language',
  'swEdition',
  'targetSw',
  'targetHw',
  'other',
] as const

export type Cpe = Record<(typeof cpeAttributes)[number], CpeValue>

const maxLength = 2048
const any: CpeValue = { kind: 'any' }
const na: CpeValue = { kind: 'na' }
const controlCharacter = /\p{Cc}/u

/**
 * Reads a CPE 2.3 formatted string or a CPE 2.2 URI (NISTIR 7695, 6.1 and 6.2). Attributes missing at the end are
 * ANY. The text is hostile: anything else gives undefined; nothing throws.
 */
export function parseCpe(text: string): Cpe | undefined {
  const trimmed = text.trim()
  if (trimmed.length > maxLength || controlCharacter.test(trimmed)) return undefined
  const lower = trimmed.toLowerCase()
  if (lower.startsWith('cpe:2.3:')) return fromFormattedString(lower.slice('cpe:2.3:'.length))
  if (lower.startsWith('cpe:/')) return fromUri(lower.slice('cpe:/'.length))
  return undefined
}

/** Whether the CPE names one product of one vendor: neither ANY nor NA nor a wildcard among part, vendor, product. */
export function isConcrete(cpe: Cpe): boolean {
  return [cpe.part, cpe.vendor, cpe.product].every((value) => concreteText(value) !== null)
}

/** The text of an attribute that stands for itself; null for ANY, NA and wildcards. */
export function concreteText(value: CpeValue): string | null {
  return value.kind === 'text' && !value.hasWildcard ? value.text : null
}

/** The package key of a concrete CPE; undefined for any other, which is never matched. */
export function cpePackageKey(cpe: Cpe): string | undefined {
  if (!isConcrete(cpe)) return undefined
  const names = [cpe.part, cpe.vendor, cpe.product].map((value) => concreteText(value))
  return packageKey('cpe', names.join(':'))
}

function fromFormattedString(text: string): Cpe | undefined {
  return cpeOf(splitUnescaped(text).map(formattedValue))
}

/** Splits at every `:` without a backslash in front of it. */
function splitUnescaped(text: string): string[] {
  const parts: string[] = []
  let start = 0
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1
    else if (text[index] === ':') {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  parts.push(text.slice(start))
  return parts
}

function formattedValue(raw: string): CpeValue {
  if (raw === '*' || raw === '') return any
  if (raw === '-') return na
  let text = ''
  let hasWildcard = false
  for (let index = 0; index < raw.length; index += 1) {
    const isEscape = raw[index] === '\\' && index + 1 < raw.length
    if (isEscape) index += 1
    const character = raw.charAt(index)
    if (!isEscape && (character === '*' || character === '?')) hasWildcard = true
    text += character
  }
  return { kind: 'text', text, hasWildcard }
}

/** `cpe:/a:vendor:product:version:update:edition:language`; the edition may pack five attributes behind `~`. */
function fromUri(text: string): Cpe | undefined {
  const raw = text.split(':')
  if (raw.length > 7) return undefined
  const values: CpeValue[] = []
  for (const part of raw) {
    const value = uriValue(part)
    if (value === undefined) return undefined
    values.push(value)
  }
  const packed = raw[5]
  if (packed?.startsWith('~') !== true) return cpeOf(values)
  const unpacked = packed.slice(1).split('~').map(uriValue)
  const [edition, swEdition, targetSw, targetHw, other] = unpacked.map((value) => value ?? any)
  const language = values[6] ?? any
  return cpeOf(
    [...values.slice(0, 5), edition, language, swEdition, targetSw, targetHw, other].map(
      (value) => value ?? any,
    ),
  )
}

/** Empty is ANY; `%01` and `%02` are the wildcards `?` and `*`, which have no other spelling in a URI. */
function uriValue(raw: string): CpeValue | undefined {
  if (raw === '') return any
  if (raw === '-') return na
  const hasWildcard = raw.includes('%01') || raw.includes('%02')
  const text = decodePercent(raw.replaceAll('%01', '%3f').replaceAll('%02', '%2a'))
  if (text === undefined || controlCharacter.test(text)) return undefined
  return { kind: 'text', text: text.toLowerCase(), hasWildcard }
}

/** Undefined for too many attributes, too few to name a product, or a part that is none of a, o, h. */
function cpeOf(values: CpeValue[]): Cpe | undefined {
  if (values.length < 3 || values.length > cpeAttributes.length) return undefined
  const cpe = Object.fromEntries(
    cpeAttributes.map((attribute, index) => [attribute, values[index] ?? any]),
  ) as Cpe
  const part = cpe.part.kind === 'text' ? cpe.part.text : 'a'
  return ['a', 'o', 'h'].includes(part) ? cpe : undefined
}

/** One attribute of a formatted string with every sign escaped that must be (NISTIR 7695, 6.2). */
const formatted = /^(?:[*-]|(?:\?*|\*)(?:[\w.-]|\\[\\*?!"#$%&'()+,/:;<=>@[\]^`{|}~])+(?:\?*|\*))$/
const formattedLanguage = /^(?:[*-]|[a-z]{2,3}(?:-(?:[a-z]{2}|\d{3}))?)$/i
const uri = /^c[pP][eE]:\/[AHOaho]?(?::[\w.~%-]*){0,6}$/
const start = 'cpe:2.3:'

/** Whether schemas that hold CPE names to their grammar take it, as CSAF does (CSAF 2.0, 3.1.3.3.1). */
export function isWellFormedCpe(text: string): boolean {
  if (!text.startsWith(start)) return uri.test(text)
  const [part = '', ...others] = splitUnescaped(text.slice(start.length))
  const isAttribute = (raw: string, at: number) => (at === 5 ? formattedLanguage : formatted).test(raw)
  return /^[aho*-]$/.test(part) && others.length === 10 && others.every((raw, at) => isAttribute(raw, at))
}

/**
 * A CPE name that was read, as it is written for others: with all its attributes and escapes, where its writer left some out. As it is where the
 * grammar has no other spelling of it.
 */
export function writtenCpe(text: string): string {
  const trimmed = text.trim()
  const cpe = isWellFormedCpe(trimmed) ? undefined : parseCpe(trimmed)
  if (cpe === undefined || Object.values(cpe).some((value) => value.kind === 'text' && value.hasWildcard))
    return trimmed
  const whole = start + cpeAttributes.map((attribute) => bound(cpe[attribute])).join(':')
  return isWellFormedCpe(whole) ? whole : trimmed
}

function bound(value: CpeValue): string {
  if (value.kind !== 'text') return value.kind === 'any' ? '*' : '-'
  return value.text.replace(/[^\w.-]/g, (sign) => `\\${sign}`)
}
