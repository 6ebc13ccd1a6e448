import { compareDigits, compareText } from '../compare.ts'
import type { OrderingRule } from '../ordering-rule.ts'

/** One token of a version; the kinds are ranked by `rankOf`. */
type Token = {
  kind: 'number' | 'letter' | 'suffix' | 'suffixNumber' | 'hash' | 'revision' | 'patch'
  text: string
}

/** `digit{.digit}…{letter}{_suffix{#}}…{~hash}{-r#}` */
const grammar =
  /^\d+(?:\.\d+)*[a-z]?(?:_(?:alpha|beta|pre|rc|cvs|svn|git|hg|p)\d*)*(?:~[0-9a-fA-F]+)?(?:-r\d+)?$/

/** Numbers behind the letter (`1.9.5p2-r0`), which only generation 2 reads on from. */
const patchGrammar =
  /^(\d+(?:\.\d+)*[a-z])(\d+(?:\.\d+)*(?:_(?:alpha|beta|pre|rc|cvs|svn|git|hg|p)\d*)*(?:-r\d+)?)$/
const tokens = /~[0-9a-fA-F]+|-r\d+|_[a-z]+|\.\d+|\d+|[a-z]/g

const prereleaseSuffixes = ['alpha', 'beta', 'pre', 'rc']
const suffixes = [...prereleaseSuffixes, 'cvs', 'svn', 'git', 'hg', 'p']

/**
 * Alpine, Wolfi, Chainguard: the order of apk-tools 3 for well-formed versions. Of malformed ones only a letter followed by digits is
 * read, as far as generations 2 and 3 agree: generation 3 stops after the letter, so two versions must differ before it.
 */
export const apk: OrderingRule<readonly Token[]> = {
  rule: 'https://git.alpinelinux.org/apk-tools/tree/doc/apk-package.5.scd (pkgver) and src/version.c of apk-tools 3',
  parse: parseTokens,
  compare: compareTokens,
  key: null,
}

function parseTokens(version: string): Token[] | undefined {
  const [, head, patch] = patchGrammar.exec(version) ?? []
  if (head !== undefined && patch !== undefined) return [...tokensOf(head), { kind: 'patch', text: patch }]
  return grammar.test(version) ? tokensOf(version) : undefined
}

function tokensOf(version: string): Token[] {
  return (version.match(tokens) ?? []).map((text, index) =>
    // Only later numbers may be fractions, see `compareNumberTokens`.
    index === 0 ? { kind: 'number', text: text.replace(/^0+(?=\d)/, '') } : tokenOf(text),
  )
}

function tokenOf(text: string): Token {
  switch (text[0]) {
    case '.':
      return { kind: 'number', text: text.slice(1) }
    case '_':
      return { kind: 'suffix', text: text.slice(1) }
    case '~':
      return { kind: 'hash', text: text.slice(1) }
    case '-':
      return { kind: 'revision', text: text.slice(2) }
    default:
      return { kind: /^\d/.test(text) ? 'suffixNumber' : 'letter', text }
  }
}

/**
 * Where two versions differ by the kind of their next token: a prerelease suffix is below the end, anything else
 * above it, the more so the earlier its kind comes in the grammar.
 */
function rankOf(token: Token | undefined): number {
  if (token === undefined) return 1
  switch (token.kind) {
    case 'revision':
      return 2
    case 'hash':
      return 3
    case 'suffixNumber':
      return 4
    case 'suffix':
      return prereleaseSuffixes.includes(token.text) ? 0 : 5
    case 'letter':
      return 6
    case 'number':
      return 7
    case 'patch':
      return 8
  }
}

function compareTokens(a: readonly Token[], b: readonly Token[]): number | undefined {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const tokenA = a[index]
    const tokenB = b[index]
    const order =
      isPatch(tokenA) || isPatch(tokenB) ? comparePatch(tokenA, tokenB) : compareTokenPair(tokenA, tokenB)
    if (order !== 0) return order
  }
  return 0
}

function compareTokenPair(a: Token | undefined, b: Token | undefined): number {
  return Math.sign(rankOf(a) - rankOf(b)) || compareTexts(a, b)
}

function isPatch(token: Token | undefined): boolean {
  return token?.kind === 'patch'
}

/**
 * Generation 2 reads a number here, which is above everything else; generation 3 something broken, which is below everything else but
 * prereleases, and equal to anything broken.
 */
function comparePatch(a: Token | undefined, b: Token | undefined): number | undefined {
  if (isPatch(a) && isPatch(b)) return a?.text === b?.text ? 0 : undefined
  const isAboveBoth = rankOf(isPatch(a) ? b : a) === 0
  if (!isAboveBoth) return undefined
  return isPatch(a) ? 1 : -1
}

/** Both tokens are of the same kind. */
function compareTexts(a: Token | undefined, b: Token | undefined): number {
  if (a === undefined || b === undefined) return 0
  switch (a.kind) {
    case 'number':
      return compareNumberTokens(a.text, b.text)
    case 'suffixNumber':
    case 'revision':
      return compareDigits(a.text, b.text)
    case 'suffix':
      return Math.sign(suffixes.indexOf(a.text) - suffixes.indexOf(b.text))
    case 'letter':
    case 'hash':
    case 'patch':
      return compareText(a.text, b.text)
  }
}

/** A number with a leading zero is compared as text, as fractions are: 1.010 < 1.09 < 1.1. */
function compareNumberTokens(a: string, b: string): number {
  return a.startsWith('0') || b.startsWith('0') ? compareText(a, b) : compareDigits(a, b)
}
