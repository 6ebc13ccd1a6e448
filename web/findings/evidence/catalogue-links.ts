import type { ExploitedEntry } from '#contract/findings/shapes.ts'

type Link = { words: string; address: string }

/** The pages of a catalogue entry: the CVE at cve.org and NVD, and the catalogue itself. */
export function catalogueLinks({ catalogue, id }: Pick<ExploitedEntry, 'catalogue' | 'id'>): Link[] {
  const at = encodeURIComponent(id)
  const ofCve: Link[] = id.startsWith('CVE-')
    ? [
        { words: 'CVE', address: `https://www.cve.org/CVERecord?id=${at}` },
        { words: 'NVD', address: `https://nvd.nist.gov/vuln/detail/${at}` },
      ]
    : []
  return [...ofCve, ofCatalogue(catalogue, at)]
}

function ofCatalogue(catalogue: ExploitedEntry['catalogue'], at: string): Link {
  return catalogue === 'kev'
    ? {
        words: 'CISA KEV',
        address: `https://www.cisa.gov/known-exploited-vulnerabilities-catalog?search_api_fulltext=${at}`,
      }
    : { words: 'EUVD', address: `https://euvd.enisa.europa.eu/search?text=${at}` }
}
