import type { DraftVulnerability } from '../../contract/advisories/shapes.ts'
import { documentUrl } from '../../html/document-url.ts'
import type { FieldPlaces } from './field-places.ts'

type At = { at: string; field: string; places: FieldPlaces }

/** The pages of the CVE and of the catalogues, then those of the draft. */
export function referencesOf(
  { cve, ids, exploits, references }: DraftVulnerability,
  { at, field, places }: At,
) {
  const listed = new Set(exploits.map(({ catalogue }) => catalogue))
  const own = [
    ...cvePage(cve.trim()),
    ...(listed.has('kev') ? kevPage(cve.trim()) : []),
    ...ids.flatMap(({ text }) => euvdPage(text.trim())),
  ]
  const given = references.map(({ summary, url }, index) => {
    places.add(`${at}/references/${index + own.length}`, `${field}.references.${index}`)
    return { category: 'external', summary: summary.trim(), url: documentUrl(url.trim()) ?? url.trim() }
  })
  return [...own, ...given]
}

const cveForm = /^CVE-\d{4}-\d{4,}$/

function cvePage(cve: string) {
  if (!cveForm.test(cve)) return []
  return [{ category: 'external', summary: cve, url: `https://www.cve.org/CVERecord?id=${cve}` }]
}

function kevPage(cve: string) {
  const search = cveForm.test(cve) ? `?search_api_fulltext=${cve}` : ''
  const url = `https://www.cisa.gov/known-exploited-vulnerabilities-catalog${search}`
  return [{ category: 'external', summary: 'CISA Known Exploited Vulnerabilities catalogue', url }]
}

function euvdPage(id: string) {
  if (!/^EUVD-\d{4}-\d+$/.test(id)) return []
  return [{ category: 'external', summary: id, url: `https://euvd.enisa.europa.eu/vulnerability/${id}` }]
}
