import { boundsInWords, signsIn, withPlainSigns } from '../version-words.ts'

/**
 * A range of the vers specification as it is, and signs and words as one (`<2.0`, `>=1.0|<2.0`, `before 2.0`), in the order of versions of a purl type; null where they
 * cannot be read.
 */
export function versRange(text: string, purlType: string): string | null {
  if (/^vers:/i.test(text)) return text
  const bounds = boundsInWords(withPlainSigns(text.replaceAll('|', ',')))
  const signs = bounds === undefined ? [] : signsIn(bounds.signs)
  const read = signs.map((sign) => /^(<=?|>=?|=) *(v?\d\S*)$/i.exec(sign))
  if (read.length === 0 || read.includes(null)) return null
  const constraints = read.map((found) => `${found?.[1]}${encodeURIComponent(found?.[2] ?? '')}`)
  return `vers:${purlType}/${constraints.join('|')}`
}
