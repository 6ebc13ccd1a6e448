import { ServiceError, type ErrorCode } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { cleanText } from './clean.ts'
import { maxDistinctNames, maxUnusualKeys, scanJson, type JsonBudget, type ListSpan } from './scan.ts'
import { locateEncodingError } from './encoding-error.ts'
import { parseAroundList } from './list-in-parts.ts'
import { otherBytes, otherForm } from './other-forms.ts'
import { locateSyntaxError } from './syntax-error.ts'
import { usualKeys, usualShapes } from './unusual-keys.ts'

/** The purpose of a body; it decides the codes of its refusals. */
export type JsonPurpose = 'sbom' | 'vex' | 'notification'

type Rules = {
  /** A body that begins with `<`. */
  xml: ErrorCode
  /** A body over a budget of depth or tokens. */
  tooComplex: ErrorCode
  /** The lists whose length has its own limit and code, which takes precedence over `tooComplex`. */
  lists: { keys: readonly string[]; max: number; tooMany: ErrorCode } | null
}

const rules: Record<JsonPurpose, Rules> = {
  sbom: {
    xml: 'xml_unsupported',
    tooComplex: 'invalid_sbom',
    lists: { keys: ['components', 'packages'], max: limits.components, tooMany: 'too_many_components' },
  },
  vex: {
    xml: 'invalid_json',
    tooComplex: 'invalid_vex',
    lists: {
      keys: ['statements', 'vulnerabilities'],
      max: limits.statements,
      tooMany: 'too_many_statements',
    },
  },
  notification: { xml: 'invalid_json', tooComplex: 'invalid_notification', lists: null },
}

const budgets: Record<JsonBudget, string> = {
  depth: `more than ${limits.jsonDepth} levels of nesting`,
  containers: `more than ${limits.jsonContainers} objects and arrays`,
  separators: `more than ${limits.jsonSeparators} commas and colons`,
  names: `more than ${maxDistinctNames} different keys and short values`,
  unusualKeys: `more than ${maxUnusualKeys} keys in objects with over ${usualKeys} keys, with numbers as keys, or unlike the first ${usualShapes} kinds of objects`,
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The value of a hostile JSON body of at most 50 MB. A byte-order mark is skipped.
 *
 * Refuses with `invalid_json` (place and reason in `detail`; other encodings than UTF-8 too), for XML and for bodies that
 * would cost more than the published budgets of depth and tokens with the codes of the purpose; the budgets are
 * judged first, whatever else the body is.
 */
export function parseJson(bytes: Uint8Array, purpose: JsonPurpose): unknown {
  checkBudgets(bytes, rules[purpose])
  return parseWhole(bytes, purpose)
}

/**
 * The result of `read` on the value of such a body, with its one long list in parts: the text and tree of a large file take half of the memory
 * and a quarter of the time. A body that cannot be read in parts, or is refused, is read whole: a syntax error takes precedence over earlier
 * faults of the document.
 */
export function readJson<T>(bytes: Uint8Array, purpose: JsonPurpose, read: (value: unknown) => T): T {
  const span = checkBudgets(bytes, rules[purpose])
  if (span !== null) {
    try {
      return read(parseAroundList(bytes, span))
    } catch {
      // Whatever it is, reading the whole body reports it.
    }
  }
  return read(parseWhole(bytes, purpose))
}

function parseWhole(bytes: Uint8Array, purpose: JsonPurpose): unknown {
  const text = decodeUtf8(bytes)
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson(otherForm(text) ?? locateSyntaxError(text))
    throw asRefusal(error, purpose)
  }
}

/** The value of a JSON text that is short enough to be parsed at once, however deep it is. Codes: `invalid_json` with place and reason. */
export function parseShortJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw notJson(mistakeIn(text))
    throw error
  }
}

/** If it is nested deeper than the call stack allows, the error is not located. */
function mistakeIn(text: string): string {
  try {
    return locateSyntaxError(text)
  } catch (error) {
    if (error instanceof RangeError) return 'the text is nested too deeply to say where'
    throw error
  }
}

/** The text of a body. A byte-order mark is skipped. Codes: `invalid_json` with place and reason. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw notJson(otherBytes(bytes) ?? locateEncodingError(bytes))
  }
}

/** An error from reading a document: a RangeError (stack or size exceeded) means that the document is too complex. */
export function asRefusal(error: unknown, purpose: JsonPurpose): unknown {
  if (!(error instanceof RangeError)) return error
  return new ServiceError(rules[purpose].tooComplex, { detail: 'the document is too complex to read' })
}

/** Returns the position of the one long list; null without one. */
function checkBudgets(bytes: Uint8Array, { xml, tooComplex, lists }: Rules): ListSpan | null {
  const scan = scanJson(bytes, lists?.keys ?? [])
  if (scan.kind === 'xml')
    throw new ServiceError(xml, xml === 'invalid_json' ? { detail: 'the body is XML' } : {})
  if (scan.kind === 'ok') return scan.span
  if (lists && scan.listEntries > lists.max) throw new ServiceError(lists.tooMany)
  throw new ServiceError(tooComplex, { detail: budgets[scan.budget] })
}

function notJson(detail: string): ServiceError {
  return new ServiceError('invalid_json', { detail: cleanText(detail, 200) })
}
