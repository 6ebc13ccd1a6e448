import { PackageURL } from 'packageurl-js'
import { purlTypeOf, withoutToolSpelling } from './tool-spellings.ts'

/**
 * A package URL as its writer meant it, percent-decoded, without what tools spell otherwise (`tool-spellings.ts`); never written back, because its
 * spelling is not an identity.
 */
export type Purl = {
  /** Lower case. */
  type: string
  /** Segments joined by `/`; null when the purl has none. */
  namespace: string | null
  name: string
  version: string | null
  /** Keys lower case; the first of repeated keys; empty values left out. */
  qualifiers: ReadonlyMap<string, string>
  subpath: string | null
}

const maxLength = 4096
const typePattern = /^[a-z][a-z0-9.+-]*$/
const qualifierKeyPattern = /^[a-z._-][a-z0-9._-]*$/
const controlCharacter = /\p{Cc}/u

/** Types whose namespace or name the purl specification folds to lower case (purl-spec, types/*-definition.json). */
const foldedNamespaces = new Set(['apk', 'composer', 'deb', 'github', 'hex', 'rpm'])
const foldedNames = new Set(['apk', 'bitnami', 'composer', 'deb', 'github', 'hex', 'pub', 'pypi'])

/**
 * Reads a package URL (ECMA-427, "How to parse a purl"). The text is hostile: anything that is no purl, longer than
 * 4 096 characters or hiding control characters gives undefined; nothing throws.
 */
export function parsePurl(text: string): Purl | undefined {
  if (text.length > maxLength) return undefined
  const plainParts = splitPlain(text)
  // A plain one can hide nothing.
  return plainParts === undefined ? readAny(text) : purlOf(plainParts, noQualifiers)
}

const noQualifiers: ReadonlyMap<string, string> = new Map()

function readAny(text: string): Purl | undefined {
  if (controlCharacter.test(text)) return undefined
  const { main, query } = withoutQuery(text.trim())
  const parts = splitPlain(main) ?? splitByLibrary(main)
  const qualifiers = readQualifiers(query)
  if (parts === undefined || qualifiers === undefined) return undefined
  if (!typePattern.test(parts.type) || !isName(parts.name)) return undefined
  if (Object.values(parts).some((part) => controlCharacter.test(part))) return undefined
  return withoutToolSpelling(purlOf(parts, qualifiers))
}

function purlOf(parts: Parts, qualifiers: ReadonlyMap<string, string>): Purl {
  const type = purlTypeOf(parts.type)
  const { name } = parts
  return {
    type,
    namespace: (foldedNamespaces.has(type) ? parts.namespace.toLowerCase() : parts.namespace) || null,
    name: foldName(type, name),
    version: parts.version || null,
    qualifiers,
    subpath: parts.subpath || null,
  }
}

/**
 * Qualifiers are cut out before the library sees them: it reads them as a form, where `+` means a space, while
 * generators write Debian and RPM versions with a bare `+`.
 */
function withoutQuery(text: string): { main: string; query: string } {
  const hash = text.indexOf('#')
  const beforeFragment = hash === -1 ? text : text.slice(0, hash)
  const fragment = hash === -1 ? '' : text.slice(hash)
  const question = beforeFragment.indexOf('?')
  if (question === -1) return { main: text, query: '' }
  return { main: beforeFragment.slice(0, question) + fragment, query: beforeFragment.slice(question + 1) }
}

type Parts = Record<'type' | 'namespace' | 'name' | 'version' | 'subpath', string>

/**
 * Nearly all purls of real documents: nothing escaped but the `@` of an npm scope. Read without the library, which takes three times as long
 * and gives the same (purl.test.ts compares them).
 */
const plain = /^pkg:([a-z][a-z0-9.+-]*)\/((?:(?:@|%40)?[\w.~-]+\/)*)([\w.~-]+)(?:@([\w.~+:-]+))?$/i

/** The decoded parts, empty where the purl has none; undefined for one that is not plain. */
function splitPlain(text: string): Parts | undefined {
  const [, type, namespaces = '', name = '', version = ''] = plain.exec(text) ?? []
  if (type === undefined) return undefined
  const namespace = namespaces.slice(0, -1).replaceAll('%40', '@')
  return { type: type.toLowerCase(), namespace, name, version, subpath: '' }
}

function splitByLibrary(text: string): Parts | undefined {
  try {
    const [type = '', namespace = '', name = '', version = '', , subpath = ''] = PackageURL.parseString(text)
    return {
      type: type.toLowerCase(),
      namespace: segments(namespace),
      name: name.trim(),
      version: version.trim(),
      subpath: segments(subpath, ['.', '..']),
    }
  } catch {
    // The library throws on text that is not a purl; here that is an ordinary answer.
    return undefined
  }
}

function readQualifiers(query: string): Map<string, string> | undefined {
  const qualifiers = new Map<string, string>()
  if (query === '') return qualifiers
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    if (equals === -1) continue
    const key = pair.slice(0, equals).toLowerCase()
    const value = decodePercent(pair.slice(equals + 1))
    if (!qualifierKeyPattern.test(key) || value === undefined || controlCharacter.test(value))
      return undefined
    const trimmed = value.trim()
    if (trimmed !== '' && !qualifiers.has(key)) qualifiers.set(key, trimmed)
  }
  return qualifiers
}

/** The percent-decoded text; undefined for a broken escape or bytes that are no UTF-8. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    // decodeURIComponent has no other way to say that the escapes are broken.
    return undefined
  }
}

/**
 * `pkg:maven/@1.3.4` has a version where the name should be; a name that begins with `@` and goes on behind a slash is an
 * npm scope written with %2F.
 */
function isName(name: string): boolean {
  return name !== '' && (!name.startsWith('@') || name.includes('/'))
}

function foldName(type: string, name: string): string {
  const folded = foldedNames.has(type) ? name.toLowerCase() : name
  return type === 'pypi' ? folded.replaceAll('_', '-') : folded
}

/** Empty segments mean nothing (ECMA-427); in a subpath neither do `.` and `..`. */
function segments(path: string, ignored: string[] = []): string {
  return path
    .split('/')
    .filter((segment) => segment !== '' && !ignored.includes(segment))
    .join('/')
}

/** The type of a purl without reading all of it; '' where it is not known. */
export function typeOfPurl(text: string): string {
  return purlTypeOf(/^\s*pkg:\/*([^/]*)\//i.exec(text)?.[1] ?? '')
}
