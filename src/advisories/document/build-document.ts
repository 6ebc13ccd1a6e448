import type { AdvisoryContent, Tlp } from '../../contract/advisories.ts'
import { documentUrl } from '../../platform/html/document-url.ts'
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

const tlpPage = 'https://www.first.org/tlp/'

/**
 * The CSAF 2.0 document of the VEX profile (4.5) that a draft becomes. What is missing in the draft is missing in the document: the gate
 * judges it.
 */
export function buildDocument(input: DocumentInput): BuiltDocument {
  const { content } = input
  const places = new FieldPlaces()
  const used = new Set(
    content.vulnerabilities.flatMap(({ statuses }) => statuses.map((row) => row.versionId)),
  )
  const products = content.products.filter(({ versionId }) => used.has(versionId))
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
  const { title, summary, tlp } = content
  const acknowledgments = documentAcknowledgments(content, places)
  const references = documentReferences(input, places)
  places.add('/document/title', 'title')
  places.add('/document/notes', 'summary')
  places.add('/document/distribution', 'tlp')
  places.add('/document/references', 'references')
  places.add('/document/acknowledgments', 'acknowledgments')
  places.add('/document/tracking', 'trackingId')
  return {
    ...(acknowledgments.length > 0 && { acknowledgments }),
    category: 'csaf_vex',
    csaf_version: '2.0',
    distribution: { tlp: { label: tlp satisfies Tlp, url: tlpPage } },
    lang: 'en',
    ...(summary.trim() !== '' && {
      notes: [{ category: 'summary', text: summary.trim(), title: 'Summary' }],
    }),
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

function documentAcknowledgments({ acknowledgments }: AdvisoryContent, places: FieldPlaces) {
  return acknowledgments.map(({ names, organization, summary, urls }, index) => {
    places.add(`/document/acknowledgments/${index}`, `acknowledgments.${index}`)
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
