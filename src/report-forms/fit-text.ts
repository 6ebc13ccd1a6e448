const ellipsis = '…'
/** Control characters except tabs and line ends; no form accepts them, and the database refuses some. */
const control = /[^\P{Cc}\t\n]/gu

/** Foreign text as a form takes it: whole characters, no controls, lines ended by `\n`, no blank ends. */
export function plainText(text: string): string {
  return text.toWellFormed().replaceAll(/\r\n?/g, '\n').replaceAll(control, '').trim()
}

/** The text if it has at most so many code points, else its beginning with an ellipsis; no character that people see is parted. */
export function cutText(text: string, maxCharacters: number): string {
  const plain = plainText(text)
  if (isWithin(plain, maxCharacters)) return plain
  const end = offsetOf(plain, maxCharacters - 1)
  // a letter with its accents, or an emoji of several code points, is left out whole
  const start = graphemes.segment(plain.slice(0, end + longestLookedAt)).containing(end)?.index ?? end
  const kept = plain.slice(0, start === 0 ? end : start).trimEnd()
  return maxCharacters < 1 ? '' : kept + ellipsis
}

/** As many whole items as fit, separated by commas, and how many more there are. */
export function joinItems(items: readonly string[], maxCharacters: number): string {
  const names = [...new Set(items.map(oneLine))].filter((name) => name !== '')
  // an item takes at least one character
  for (let count = Math.min(names.length, maxCharacters); count > 0; count -= 1) {
    const text = listed(names, count)
    if (isWithin(text, maxCharacters)) return text
  }
  const [first] = names
  if (first === undefined) return ''
  const rest = names.length === 1 ? '' : more(names.length - 1)
  return isWithin(rest, maxCharacters - 1) ? cutText(first, maxCharacters - rest.length) + rest : ''
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Units after the cut that may belong to the character before it. */
const longestLookedAt = 64

function listed(names: readonly string[], count: number): string {
  const shown = names.slice(0, count).join(', ')
  return count === names.length ? shown : shown + more(names.length - count)
}

function more(count: number): string {
  return ` and ${count} more`
}

function oneLine(text: string): string {
  return plainText(text).replaceAll(/\s+/g, ' ')
}

function isWithin(text: string, maxCharacters: number): boolean {
  return text.length <= maxCharacters || offsetOf(text, maxCharacters) === text.length
}

/** Where in the text its code point of this number begins; its end when it has fewer. */
function offsetOf(text: string, codePoints: number): number {
  let offset = 0
  for (let counted = 0; counted < codePoints && offset < text.length; counted += 1) {
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
  }
  return offset
}
