import { advisorySeverityNames, type AdvisoryContent, type Tlp } from '../../contract/advisories/shapes.ts'
import { documentUrl } from '../../html/document-url.ts'
import { documentAcknowledgments } from './document-acknowledgments.ts'
import { documentVulnerability } from './document-vulnerability.ts'
import { FieldPlaces } from './field-places.ts'
import { productTree } from './product-tree.ts'

/** One published version, as the history of the document lists it. */
export type Revision = { number: string; date: Date; summary: string }

export type DocumentInput = {
  content: AdvisoryContent
  publisher: { name: string; namespace: string; contactDetails: string }
  trackingId: string
  /** Every published version with this one as the last, in the order of publication. */
  history: readonly Revision[]
  /** The service's name. */
  generator: string
  /** Address in the feed; null: it is in none. */
  selfUrl: string | null
}

/** A document, and which field of the draft each part of it comes from. */
export type BuiltDocument = { document: object; places: FieldPlaces }

/** Where the words are from. */
const severityPage = 'https://www.first.org/cvss/v3.1/specification-document'
const tlpPage = 'https://www.first.org/tlp/'

/**
 * The CSAF 2.0 document of the VEX profile (4.5) for a draft. What is missing in the draft is missing in the document: the gate reports
 * it.
 */
export function buildDocument(input: DocumentInput): BuiltDocument {
  const { content } = input
  const places = new FieldPlaces()
  const used = new Set(
    content.vulnerabilities.flatMap(({ statuses }) => statuses.map((row) => row.versionId)),
  )
  const products = content.products
    .map((product, place) => ({ ...product, place }))
    .filter(({ versionId }) => used.has(versionId))
  places.add('/document', 'title')
  const document = {
    document: documentPart(input, places),
    ...(products.length > 0 && { product_tree: productTree(input.publisher.name, products, places) }),
    ...(content.vulnerabilities.length > 0 && {
      vulnerabilities: content.vulnerabilities.map((vulnerability, index) =>
        documentVulnerability({ vulnerability, index, products, places }),
      ),
    }),
  }
  places.add('/product_tree', 'products')
  places.add('/vulnerabilities', 'vulnerabilities')
  return { document, places }
}

function documentPart(input: DocumentInput, places: FieldPlaces) {
  const { content, publisher } = input
  const { title, tlp, severity = null } = content
  const acknowledgments = documentAcknowledgments(content.acknowledgments, {
    at: '/document/acknowledgments',
    field: 'acknowledgments',
    places,
  })
  const notes = documentNotes(content, places)
  const references = documentReferences(input, places)
  places.add('/document/title', 'title')
  places.add('/document/aggregate_severity', 'severity')
  places.add('/document/distribution', 'tlp')
  places.add('/document/references', 'references')
  places.add('/document/acknowledgments', 'acknowledgments')
  places.add('/document/tracking', 'trackingId')
  return {
    ...(acknowledgments.length > 0 && { acknowledgments }),
    ...(severity !== null && {
      aggregate_severity: { namespace: severityPage, text: advisorySeverityNames[severity] },
    }),
    category: 'csaf_vex',
    csaf_version: '2.0',
    distribution: { tlp: { label: tlp satisfies Tlp, url: tlpPage } },
    lang: 'en',
    ...(notes.length > 0 && { notes }),
    publisher: {
      category: 'vendor',
      contact_details: publisher.contactDetails,
      name: publisher.name,
      namespace: publisher.namespace,
    },
    ...(references.length > 0 && { references }),
    title: title.trim(),
    tracking: tracking(input),
  }
}

/** Notes on the whole document (CSAF 2.0, 3.2.1.8). */
function documentNotes(content: AdvisoryContent, places: FieldPlaces) {
  const notes = [
    { field: 'summary', category: 'summary', title: 'Summary', text: content.summary },
    { field: 'generalNote', category: 'general', title: 'General note', text: content.generalNote ?? '' },
    { field: 'legalNote', category: 'legal_disclaimer', title: 'Legal note', text: content.legalNote ?? '' },
  ].filter(({ text }) => text.trim() !== '')
  return notes.map(({ field, category, title, text }, index) => {
    places.add(`/document/notes/${index}`, field)
    return { category, text: text.trim(), title }
  })
}

/** In the order of publication: tools read the last entry as the newest. */
function tracking({ trackingId, history, generator }: DocumentInput) {
  const [first, last] = [history.at(0), history.at(-1)]
  if (first === undefined || last === undefined) throw new Error('a document has a version')
  return {
    current_release_date: last.date.toISOString(),
    generator: { engine: { name: generator } },
    id: trackingId,
    initial_release_date: first.date.toISOString(),
    revision_history: history.map(({ date, number, summary }) => ({
      date: date.toISOString(),
      number,
      summary,
    })),
    status: 'final',
    version: last.number,
  }
}

function documentReferences({ content, selfUrl }: DocumentInput, places: FieldPlaces) {
  const self =
    selfUrl === null
      ? []
      : [{ category: 'self', summary: 'This document in the feed of its publisher', url: selfUrl }]
  return [
    ...self,
    ...content.references.map(({ summary, url }, index) => {
      places.add(`/document/references/${index + self.length}`, `references.${index}`)
      return { category: 'external', summary: summary.trim(), url: documentUrl(url.trim()) ?? url.trim() }
    }),
  ]
}
