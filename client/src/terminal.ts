import { variable, type Environment, type Output } from './ports.ts'

const colours = { red: 31, green: 32, yellow: 33, bold: 1 } as const
type Colour = keyof typeof colours

/**
 * Text for people. On a terminal progress is one line rewritten in place, elsewhere a new line for each change; colours only on a terminal
 * and without NO_COLOR.
 */
export class Terminal {
  readonly #output: Output
  readonly #isTerminal: boolean
  readonly #isColoured: boolean
  #progress = ''

  constructor(output: Output, env: Environment) {
    this.#output = output
    this.#isTerminal = output.isTTY === true && env['TERM'] !== 'dumb'
    this.#isColoured = this.#isTerminal && variable(env, 'NO_COLOR') === null
  }

  /** Prints lines of text, which may contain untrusted words. */
  say(text: string, colour?: Colour): void {
    this.endProgress()
    for (const line of text.split('\n')) this.#output.write(`${this.#paint(printable(line), colour)}\n`)
  }

  progress(text: string): void {
    if (text === this.#progress) return
    this.#progress = text
    this.#output.write(this.#isTerminal ? `\r\u001b[K${printable(text)}` : `${printable(text)}\n`)
  }

  endProgress(): void {
    if (this.#progress !== '' && this.#isTerminal) this.#output.write('\r\u001b[K')
    this.#progress = ''
  }

  #paint(text: string, colour: Colour | undefined): string {
    if (!this.#isColoured || colour === undefined || text === '') return text
    return `\u001b[${colours[colour]}m${text}\u001b[0m`
  }
}

/**
 * Makes untrusted text safe to print: no control characters, no tokens, and nothing a CI system would read as a command (`::set-output`,
 * `##vso[`).
 */
export function printable(text: string): string {
  return withoutTokens(text)
    .replaceAll(/\p{Cc}|\p{Cf}/gu, ' ')
    .replaceAll(/#(?=#)/g, '# ')
    .replace(/^(\s*)::/, '$1: :')
}

/** One line of JSON, made safe in the same way: `##` only occurs inside its strings. */
export function printableJson(value: unknown): string {
  return withoutTokens(JSON.stringify(value)).replaceAll('##', String.raw`#\u0023`)
}

function withoutTokens(text: string): string {
  return text.replaceAll(/svc_[A-Za-z0-9_-]{43}/g, 'svc_…')
}
