import type { AdvisoryContent } from '../../contract/advisories/shapes.ts'
import { documentUrl } from '../../html/document-url.ts'
import type { FieldPlaces } from './field-places.ts'

type At = {
  /** Pointer to the list in the document. */
  at: string
  /** Path of the list in the draft. */
  field: string
  places: FieldPlaces
}

/** Who is thanked, by the document or by one vulnerability (CSAF 2.0, 3.1.1). */
export function documentAcknowledgments(
  acknowledgments: AdvisoryContent['acknowledgments'],
  { at, field, places }: At,
) {
  return acknowledgments.map(({ names, organization, summary, urls }, index) => {
    places.add(`${at}/${index}`, `${field}.${index}`)
    const given = names.map((name) => name.trim()).filter((name) => name !== '')
    const links = urls.map((url) => url.trim()).filter((url) => url !== '')
    return {
      ...(given.length > 0 && { names: given }),
      ...(organization.trim() !== '' && { organization: organization.trim() }),
      ...(summary.trim() !== '' && { summary: summary.trim() }),
      ...(links.length > 0 && { urls: links.map((url) => documentUrl(url) ?? url) }),
    }
  })
}
