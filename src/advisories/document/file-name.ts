import { advisoryLimits } from '../../contract/advisories/shapes.ts'
import { lengthProblem } from '../../platform/input-reader.ts'

/** The file of a document in the feed (CSAF 2.0, 5.1): different tracking ids may have the same. */
export function documentFileName(trackingId: string): string {
  return `${trackingId.toLowerCase().replaceAll(/[^a-z0-9+-]+/g, '_')}.json`
}

/** What is wrong with a tracking id; undefined: nothing. */
export function trackingIdProblem(trackingId: string): string | undefined {
  if (trackingId === '') return 'A tracking ID is required.'
  // other letters are lowered differently by different tools
  if (!/^[A-Za-z0-9._-]+$/.test(trackingId))
    return 'Only letters A-Z, digits, dots, dashes and _ are allowed.'
  if (/^\.{1,2}$/.test(trackingId)) return 'More than dots is required: the ID is part of an address.'
  const max = advisoryLimits.trackingIdCharacters
  if (trackingId.length > max) return lengthProblem({ min: 1, max })
  // tools strip the suffix of the file before they compare
  return /\.json$/i.test(trackingId) ? 'It must not end in .json.' : undefined
}
