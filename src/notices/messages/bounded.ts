import { visibleText } from '../../contract/hidden-characters.ts'
import type { Wording } from './event-wording.ts'

/**
 * One line, whoever wrote it, of at most so many characters. Invisible characters are written out: they could reverse the direction of
 * what follows.
 */
export function bounded(text: string, characters: number): string {
  const shown = [...visibleText(text.replaceAll(/[\r\n\t\u2028\u2029]+/g, ' '))]
  return shown.length <= characters ? shown.join('') : `${shown.slice(0, characters - 1).join('')}…`
}

export function boundedWording({ headline, facts, linkText }: Wording, characters: number): Wording {
  return {
    headline: bounded(headline, characters),
    facts: facts.map(([label, value]) => [bounded(label, characters), bounded(value, characters)]),
    linkText,
  }
}

/** The beginning of a stranger's answer: one line without control and format characters. */
export function quoted(text: string, characters: number): string {
  const plain = text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  return [...plain.slice(0, 4 * characters)].slice(0, characters).join('')
}
