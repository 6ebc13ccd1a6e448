import type { EvidenceReference } from '../../contract/findings/shapes.ts'
import { fieldOf, listField, textField } from '../../source-files/fields.ts'

const shownReferences = 100
const maxAddressCharacters = 2000

/** The `references` of a stored record. The document is foreign: any shape may come, and only web addresses become links. */
export function referencesOf(document: string): EvidenceReference[] {
  const record: unknown = JSON.parse(document)
  // a record of the CVE program has them in the assigner's container
  const holder = fieldOf(fieldOf(record, 'containers'), 'cna') ?? record
  return listField(holder, 'references')
    .map((entry) => ({
      type: textField(entry, 'type', 50) ?? 'WEB',
      url: textField(entry, 'url', maxAddressCharacters) ?? '',
    }))
    .filter(({ url }) => url.length < maxAddressCharacters && /^https?:\/\//i.test(url))
    .slice(0, shownReferences)
}
