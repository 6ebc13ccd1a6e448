import { existingTime, isDay } from '../contract/calendar.ts'
import { ServiceError } from '../contract/errors.ts'
import { hiddenCharacterProblem, looksEmpty } from '../contract/hidden-characters.ts'
import { emailProblem } from '../contract/people/email-address.ts'
import { shownSecond } from '../contract/shown-time.ts'
import { hourMs } from '../contract/durations.ts'

/** Of characters, which are Unicode code points. */
type Length = { min: number; max: number }
type TimeBounds = { now: Date; notBefore?: { at: Date; what: string } }

/** How much earlier than in UTC a day begins where it begins first. */
const earliestDayMs = 14 * hourMs

/** ISO 8601 with a zone: `2026-10-01T08:00:00Z`, `2026-10-01T10:00+02:00`. */
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/

function wholeSecond(at: Date): number {
  return Math.floor(at.getTime() / 1_000) * 1_000
}

/** The answer to half a surrogate pair, wherever it is sent. */
export const notText = 'It contains a character that is not text.'

/** Reads what people type, and reports all wrong fields at once. The rules of all fields, and their sentences, are here. */
export class InputReader {
  readonly #problems: Record<string, string> = {}

  refuse(field: string, problem: string): void {
    this.#problems[field] ??= problem
  }

  /** Text of several lines, ends trimmed. */
  text(field: string, given: string, length: Length): string {
    const text = given.replaceAll('\r\n', '\n').trim()
    this.#refuseWith(field, textProblem(text, length))
    return text
  }

  /** Text of one line that is shown as a name; it has a character at least. */
  line(field: string, given: string, max: number): string {
    const text = this.text(field, given, { min: 1, max })
    this.#refuseWith(field, hiddenCharacterProblem(text))
    return text
  }

  /** As `line`; nothing when it is empty or left out. */
  optionalLine(field: string, given: string | null | undefined, max: number): string | null {
    const text = given?.trim() ?? ''
    return text === '' ? null : this.line(field, text, max)
  }

  email(field: string, given: string): void {
    this.#refuseWith(field, emailProblem(given))
  }

  /** A time that is not in the future, and not before what it follows. */
  time(field: string, given: string, { now, notBefore }: TimeBounds): Date {
    const at = this.anyTime(field, given)
    if (at > now) this.refuse(field, 'This time is in the future.')
    if (notBefore !== undefined && at < notBefore.at) {
      // forms know whole seconds: a time within the same second is not before it
      if (at.getTime() === wholeSecond(notBefore.at)) return notBefore.at
      this.refuse(field, `This is before ${notBefore.what} (${shownSecond(notBefore.at)}).`)
    }
    return at
  }

  anyTime(field: string, given: string): Date {
    const at = timeForm.test(given) ? existingTime(given) : null
    if (at !== null && at.getUTCFullYear() >= 1990 && at.getUTCFullYear() < 2200) return at
    this.refuse(field, 'A time in ISO 8601 with its zone is required, such as 2026-10-01T08:00:00Z.')
    return new Date(0)
  }

  /** A day of the calendar: `2026-10-01`. */
  day(field: string, given: string): void {
    if (!isDay(given)) this.refuse(field, 'A day is required, such as 2026-10-01.')
  }

  /** A day that has begun somewhere. */
  pastDay(field: string, given: string, now: Date): void {
    this.day(field, given)
    if (Date.parse(given) > now.getTime() + earliestDayMs) this.refuse(field, 'This day is in the future.')
  }

  /** Links with http or https. */
  links(field: string, given: readonly string[], max: number): string[] {
    if (given.length > max) this.refuse(field, `At most ${max} links.`)
    const links = given.slice(0, max).map((link) => link.trim())
    if (!links.every(isLink))
      this.refuse(field, 'Links start with https:// or http:// and have at most 2 000 characters.')
    return links
  }

  #refuseWith(field: string, problem: string | undefined): void {
    if (problem !== undefined) this.refuse(field, problem)
  }

  /** Codes: `invalid_request` with every field that was refused. */
  finish(): void {
    if (Object.keys(this.#problems).length > 0) {
      throw new ServiceError('invalid_request', { fields: this.#problems })
    }
  }
}

/** A name of one line. Codes: `invalid_request` with `name`. */
export function readName(given: string, max: number): string {
  const input = new InputReader()
  const name = input.line('name', given, max)
  input.finish()
  return name
}

/** What is wrong with a text of one line; undefined: nothing. */
export function lineProblem(text: string, length: Length): string | undefined {
  return textProblem(text, length) ?? hiddenCharacterProblem(text)
}

/** What is wrong with a text of any lines; undefined: nothing. */
export function textProblem(text: string, { min, max }: Length): string | undefined {
  if (!text.isWellFormed()) return notText
  const { length } = [...text]
  const isTooShort = length < min || (min > 0 && looksEmpty(text))
  return isTooShort || length > max ? lengthProblem({ min, max }) : undefined
}

/** What is said of a text that is too short or too long. */
export function lengthProblem({ min, max }: Length): string {
  if (min === 0) return `At most ${max} characters.`
  return min === 1
    ? `1 to ${max} characters are required.`
    : `At least ${min} and at most ${max} characters are required.`
}

function isLink(text: string): boolean {
  if (text.length > 2_000 || !/^https?:\/\//i.test(text)) return false
  return URL.canParse(text)
}
