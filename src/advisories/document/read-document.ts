/** A reference, as documents have them. */
export type DocumentReference = { category?: string; summary: string; url: string }

export type DocumentRemark = {
  category?: string
  label?: string
  details?: string
  date?: string
  url?: string
  product_ids?: string[]
  restart_required?: { category: string }
}

export type DocumentAcknowledgment = {
  names?: string[]
  organization?: string
  summary?: string
  urls?: string[]
}

type Cvss = { version: string; vectorString: string; baseScore: number; baseSeverity?: string }
export type DocumentScore = { products: string[]; cvss_v2?: Cvss; cvss_v3?: Cvss }
type DocumentNote = { category?: string; text: string; title?: string }

export type DocumentVulnerability = {
  cve?: string
  ids?: { system_name: string; text: string }[]
  title?: string
  notes?: { text: string }[]
  product_status?: Record<string, string[]>
  flags?: DocumentRemark[]
  threats?: DocumentRemark[]
  remediations?: DocumentRemark[]
  references?: DocumentReference[]
  scores?: DocumentScore[]
  cwe?: { id: string; name: string }
  discovery_date?: string
  release_date?: string
  acknowledgments?: DocumentAcknowledgment[]
}

type Branch = {
  category?: string
  name: string
  branches?: Branch[]
  product?: { name: string; product_id: string }
}

/** A document that this service has written: what its readable page shows. */
export type WrittenDocument = {
  document: {
    title: string
    notes?: DocumentNote[]
    aggregate_severity?: { text: string }
    distribution: { tlp: { label: string } }
    publisher: { name: string; contact_details: string; namespace: string }
    references?: DocumentReference[]
    acknowledgments?: DocumentAcknowledgment[]
    tracking: {
      id: string
      version: string
      initial_release_date: string
      current_release_date: string
      revision_history: { date: string; number: string; summary: string }[]
    }
  }
  product_tree?: { branches: Branch[] }
  vulnerabilities?: DocumentVulnerability[]
}

/** Only for bytes that `documentBytes` made. */
export function readDocument(bytes: Buffer): WrittenDocument {
  return JSON.parse(bytes.toString()) as WrittenDocument
}

/** What each product id of a document is called: family and version, or family and range. */
export function productNames({ product_tree: tree }: WrittenDocument): Map<string, string> {
  const families = (tree?.branches ?? []).flatMap(({ branches = [] }) => branches)
  return new Map(
    families.flatMap(({ name: family, branches = [] }) =>
      branches.map(({ category, name, product }) => [
        product?.product_id ?? '',
        `${family} ${category === 'product_version_range' ? rangeWords(name) : name}`,
      ]),
    ),
  )
}

/** `vers:semver/>=1.0.0|<2.0.0` → `>=1.0.0, <2.0.0`: what people compare with the version they have. */
function rangeWords(range: string): string {
  const constraints = range.slice(range.indexOf('/') + 1)
  return constraints === '*' ? '(every version)' : constraints.split('|').join(', ')
}
