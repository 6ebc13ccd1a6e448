import { startOfBranch } from '../version-branch.ts'
import { boundsInWords, signsIn, withPlainSigns } from '../version-words.ts'

/**
 * A range of the vers specification as it is, and signs and words as one (`<2.0`, `>=1.0|<2.0`, `before 2.0`), in the order of versions of a purl type; null where they
 * cannot be read.
 */
export function versRange(text: string, purlType: string): string | null {
  if (/^vers:/i.test(text)) return text
  const bounds = boundsInWords(withPlainSigns(text.replaceAll('|', ',')))
  const signs = bounds === undefined ? [] : signsIn(bounds.signs)
  const constraints = signs.map(constraintOf)
  if (constraints.length === 0 || constraints.includes(null)) return null
  return `vers:${purlType}/${constraints.join('|')}`
}

/** `<2.x` ends before the line and `>=2.x` begins with it; where a line ends no version says. */
function constraintOf(sign: string): string | null {
  const [, comparator = '', version] = /^(<=?|>=?|=) *(v?\d\S*)$/i.exec(sign) ?? []
  if (version === undefined) return null
  const start = startOfBranch(version)
  const endsLine = comparator !== '<' && comparator !== '>='
  return start !== version && endsLine ? null : `${comparator}${encodeURIComponent(start)}`
}
