import { advisoryLimits, type DraftVulnerability } from '../../contract/advisories/shapes.ts'
import { listField, textField, textsField } from '../../source-files/fields.ts'
import type { KnownRecord } from './known-severity.ts'

const maxReferences = 8
const maxAddressCharacters = 2000

/** The kinds of references, the most useful to users of the product first. */
const worths = ['Vendor advisory', 'Advisory', 'Fix', 'Report', 'More', 'Exploit'] as const
type Worth = (typeof worths)[number]

/** Types of OSV and tags of NVD. */
const worthOfType = new Map<string, Worth>([
  ['Vendor Advisory', 'Vendor advisory'],
  ['Mitigation', 'Vendor advisory'],
  ['ADVISORY', 'Advisory'],
  ['Third Party Advisory', 'Advisory'],
  ['US Government Resource', 'Advisory'],
  ['FIX', 'Fix'],
  ['Patch', 'Fix'],
  ['REPORT', 'Report'],
  ['Issue Tracking', 'Report'],
  ['EVIDENCE', 'Exploit'],
  ['Exploit', 'Exploit'],
])

/** Hosts of many projects: two of their pages may be about two things. */
const codeHosts = new Set(['github.com', 'gitlab.com', 'bitbucket.org', 'codeberg.org'])

type Reference = { url: URL; worth: Worth }

/**
 * The references of the records by worth: what the vendor says, advisories, the fix, then the others. One of each site, so that no list is
 * linked twice; none of what every document links by itself.
 */
export function knownReferences(
  records: readonly KnownRecord[],
  { cve, isListed }: { cve: string; isListed: boolean },
): DraftVulnerability['references'] {
  const references = records
    .flatMap(({ document }) => listField(document, 'references').flatMap(readReference))
    .filter(({ url }) => !isLinkedAnyway(url, { cve, isListed }))
    .toSorted((a, b) => worths.indexOf(a.worth) - worths.indexOf(b.worth))
  const sites = [...Map.groupBy(references, siteOf).values()]
  return sites.slice(0, maxReferences).flatMap(([first]) => {
    if (first === undefined) return []
    const { url, worth } = first
    const host = url.hostname.replace(/^www\./, '')
    return [{ summary: worth === 'More' ? host : `${worth}: ${host}`, url: url.href }]
  })
}

function readReference(entry: unknown): Reference[] {
  const text = textField(entry, 'url', maxAddressCharacters) ?? ''
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (url === null || url.href.length > advisoryLimits.lineCharacters || url.username !== '') return []
  const kinds = [textField(entry, 'type', 50) ?? '', ...textsField(entry, 'tags', 50)]
  const said = kinds.flatMap((kind) => worthOfType.get(kind) ?? [])
  // an exploit counts as one, whatever else its page is
  const worth = said.includes('Exploit') ? 'Exploit' : worths.find((one) => said.includes(one))
  return [{ url, worth: worth ?? 'More' }]
}

/** The pages of the CVE and of the catalogues that list it, which the document names itself. */
function isLinkedAnyway(
  { hostname, pathname }: URL,
  { cve, isListed }: { cve: string; isListed: boolean },
): boolean {
  const host = hostname.replace(/^www\./, '')
  if (/(^|\.)(cve\.org|cve\.mitre\.org)$/.test(host)) return cve !== ''
  if (host === 'cisa.gov' && pathname.startsWith('/known-exploited-vulnerabilities')) return isListed
  return host === 'euvd.enisa.europa.eu'
}

/** Where two references would say the same. */
function siteOf({ url, worth }: Reference): string {
  const host = url.hostname.replace(/^www\./, '')
  if (!codeHosts.has(host)) return host
  const [owner = '', repository = ''] = url.pathname.split('/').filter((part) => part !== '')
  return `${host}/${owner}/${repository} ${worth}`
}
