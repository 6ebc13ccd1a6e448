import fc from 'fast-check'

const firstSurrogate = 0xd800
const surrogates = 0x800
const codePoints = 0x110000 - surrogates

/**
 * Any character allowed in text, for `fc.string({ unit: anyCharacter })`. The unit `binary` is equivalent, but builds a table of a million
 * characters, which takes seconds and stays in the worker's memory.
 */
export const anyCharacter = fc.nat({ max: codePoints - 1 }).map(
  (place) => String.fromCodePoint(place < firstSurrogate ? place : place + surrogates),
  (character) => {
    const codePoint = typeof character === 'string' ? character.codePointAt(0) : undefined
    if (codePoint === undefined || character !== String.fromCodePoint(codePoint))
      throw new Error('no character')
    return codePoint < firstSurrogate ? codePoint : codePoint - surrogates
  },
)
