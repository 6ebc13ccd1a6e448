import {
  tlpLabels,
  type AdvisoryContent,
  type PublicationKind,
  type Tlp,
} from '../../contract/advisories/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { DocumentInput, Revision } from '../document/build-document.ts'
import { publishedContent } from '../document/published-content.ts'
import { documentFileName } from '../document/file-name.ts'
import { firstNumber, nextNumber } from '../document/version-number.ts'
import { contactDetails, feedAddress, namespaceOf, type Publisher } from '../feed/publisher.ts'

/** A published version, as far as the next one depends on it. */
export type EarlierVersion = { number: string; summary: string; released_at: Date; tlp: Tlp }

export type NextVersion = {
  trackingId: string
  content: AdvisoryContent
  earlier: readonly EarlierVersion[]
  publisher: Publisher
  kind: PublicationKind
  summary: string
  releasedAt: Date
  baseUrl: string
  serviceName: string
}

/** Number of the version that is published next. */
export function numberAfter(
  earlier: readonly Pick<EarlierVersion, 'number'>[],
  kind: PublicationKind,
): string {
  const last = earlier.at(-1)
  return last === undefined || kind === 'first' ? firstNumber : nextNumber(last.number, kind)
}

/** The document of a version that is published on top of the earlier ones. */
export function documentInput(next: NextVersion): DocumentInput {
  const { trackingId, content, earlier, publisher, kind, summary, releasedAt, baseUrl, serviceName } = next
  const history: Revision[] = [
    ...earlier.map(({ number, released_at: date, summary: said }) => ({ number, date, summary: said })),
    { number: numberAfter(earlier, kind), date: releasedAt, summary },
  ]
  const year = (history[0]?.date ?? releasedAt).getUTCFullYear()
  const file = documentFileName(trackingId)
  return {
    content: publishedContent(content),
    publisher: {
      name: publisher.companyName,
      namespace: namespaceOf(publisher, baseUrl),
      contactDetails: contactDetails(publisher),
    },
    trackingId,
    history,
    generator: serviceName,
    selfUrl: content.tlp === 'WHITE' ? documentAddress({ slug: publisher.slug, year, file, baseUrl }) : null,
  }
}

/** Where the feed has a document. */
export function documentAddress(at: { slug: string; year: number; file: string; baseUrl: string }): string {
  return `${feedAddress(at.slug, at.baseUrl)}/white/${at.year}/${at.file}`
}

/**
 * What was public stays public: a version is at least as open as the one before. Codes: `invalid_request`.
 */
export function refuseStricterTlp(tlp: Tlp, earlier: readonly EarlierVersion[]): void {
  const before = earlier.at(-1)?.tlp
  if (before === undefined || tlpLabels.indexOf(tlp) <= tlpLabels.indexOf(before)) return
  const fields = { tlp: `It was published as TLP:${before} and cannot become stricter.` }
  throw new ServiceError('invalid_request', { fields })
}
