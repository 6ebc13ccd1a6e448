import type { EvidenceReference } from '../../contract/findings/shapes.ts'
import { listField, textField } from '../../vulndata/documents/fields.ts'

const shownReferences = 100
const longestAddress = 2000

/** The `references` of a stored record. The document is foreign: any shape may come, and only web addresses become links. */
export function referencesOf(document: string): EvidenceReference[] {
  return listField(JSON.parse(document), 'references')
    .map((entry) => ({
      type: textField(entry, 'type', 50) ?? 'WEB',
      url: textField(entry, 'url', longestAddress) ?? '',
    }))
    .filter(({ url }) => url.length < longestAddress && /^https?:\/\//i.test(url))
    .slice(0, shownReferences)
}
