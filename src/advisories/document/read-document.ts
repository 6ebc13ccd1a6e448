/** A reference, as documents have them. */
export type DocumentReference = { category?: string; summary: string; url: string }

export type DocumentRemark = {
  category?: string
  label?: string
  details?: string
  date?: string
  url?: string
  product_ids?: string[]
}

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
}

type Branch = { name: string; branches?: Branch[]; product?: { name: string; product_id: string } }

/** A document that this service has written: what its readable page shows. */
export type WrittenDocument = {
  document: {
    title: string
    notes?: { text: string }[]
    distribution: { tlp: { label: string } }
    publisher: { name: string; contact_details: string; namespace: string }
    references?: DocumentReference[]
    acknowledgments?: { names?: string[]; organization?: string; summary?: string; urls?: string[] }[]
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

/** What each product id of a document is called: family and version. */
export function productNames({ product_tree: tree }: WrittenDocument): Map<string, string> {
  const families = (tree?.branches ?? []).flatMap(({ branches = [] }) => branches)
  return new Map(
    families.flatMap(({ name: family, branches = [] }) =>
      branches.map(({ name, product }) => [product?.product_id ?? '', `${family} ${name}`]),
    ),
  )
}
