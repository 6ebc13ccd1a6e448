/**
 * Where and why a text is not JSON (RFC 8259): `line 3, column 14: expected "," or "}", found "x"`.
 * JSON.parse names the place of only some errors, so a refused text is searched again.
 * The nesting of the text must be bounded before (scan.ts).
 */
export function locateSyntaxError(text: string): string {
  try {
    new Syntax(text).document()
  } catch (error) {
    if (error instanceof Mistake) return `${placeOf(text, error.at)}: ${error.message}`
    throw error
  }
  return 'the body is not valid JSON'
}

class Mistake extends Error {
  readonly at: number

  constructor(at: number, message: string) {
    super(message)
    this.at = at
  }
}

const quote = 0x22
const backslash = 0x5c
const literals = ['true', 'false', 'null']
const escapes = new Set(['"', '\\', '/', 'b', 'f', 'n', 'r', 't', 'u'])
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const whiteSpace = /[ \t\n\r]*/y
/** Characters at which a string needs a closer look. */
// oxlint-disable-next-line no-control-regex -- they are what it looks for
const notPlain = /["\\\u0000-\u001f]/g
const fourHexDigits = /[0-9a-fA-F]{4}/y

class Syntax {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  document(): void {
    this.#value()
    if (this.#at < this.#text.length) this.#refuse('the end of the document')
  }

  #value(): void {
    this.#skip(whiteSpace)
    const first = this.#text[this.#at]
    if (first === '{') this.#members()
    else if (first === '[') this.#elements()
    else if (first === '"') this.#string()
    else if (!this.#skip(number)) this.#literal()
    this.#skip(whiteSpace)
  }

  #members(): void {
    if (this.#opensEmpty('}')) return
    do {
      this.#skip(whiteSpace)
      if (this.#text[this.#at] !== '"') this.#refuse('a key in double quotes')
      this.#string()
      this.#skip(whiteSpace)
      if (!this.#take(':')) this.#refuse('":"')
      this.#value()
    } while (this.#take(','))
    if (!this.#take('}')) this.#refuse('"," or "}"')
  }

  #elements(): void {
    if (this.#opensEmpty(']')) return
    do this.#value()
    while (this.#take(','))
    if (!this.#take(']')) this.#refuse('"," or "]"')
  }

  #opensEmpty(close: string): boolean {
    this.#at += 1
    this.#skip(whiteSpace)
    return this.#take(close)
  }

  #string(): void {
    this.#at += 1
    for (let code = this.#pastPlain(); code !== quote; code = this.#pastPlain()) {
      if (code === backslash) this.#escape()
      else this.#refuse('the end of the string')
    }
    this.#at += 1
  }

  #escape(): void {
    this.#at += 1
    const letter = this.#text[this.#at] ?? ''
    if (!escapes.has(letter)) this.#refuse('a JSON escape')
    this.#at += 1
    if (letter === 'u' && !this.#skip(fourHexDigits)) this.#refuse('four hexadecimal digits')
  }

  #literal(): void {
    const literal = literals.find((word) => this.#text.startsWith(word, this.#at))
    if (literal === undefined) this.#refuse('a value')
    this.#at += literal.length
  }

  /** Moves to the end of the string, an escape or an illegal character, and returns it; NaN at the end of the text. */
  #pastPlain(): number {
    notPlain.lastIndex = this.#at
    this.#at = notPlain.exec(this.#text)?.index ?? this.#text.length
    return this.#text.charCodeAt(this.#at)
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  /** Moves past the pattern; false where it matches nothing here. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#text)) return false
    this.#at = pattern.lastIndex
    return true
  }

  #refuse(expected: string): never {
    throw new Mistake(this.#at, `expected ${expected}, found ${nameOf(this.#text.codePointAt(this.#at))}`)
  }
}

/** Characters that are invisible or look like a space: a byte-order mark, a no-break space, a control character. */
const unseen = /[\p{C}\p{Z}]/u

function hexOf(codePoint: number): string {
  return codePoint.toString(16).toUpperCase().padStart(4, '0')
}

function nameOf(codePoint: number | undefined): string {
  if (codePoint === undefined) return 'the end of the body'
  const character = String.fromCodePoint(codePoint)
  return unseen.test(character) ? `the character U+${hexOf(codePoint)}` : `"${character}"`
}

function placeOf(text: string, at: number): string {
  let line = 1
  let lineStart = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', lineStart)) {
    line += 1
    lineStart = end + 1
  }
  return `line ${line}, column ${at - lineStart + 1}`
}
