import type { FeedState } from './feed-state.ts'
import { contactDetails, feedAddress, namespaceOf } from './publisher.ts'

/**
 * The provider metadata of a workspace (CSAF 2.0, section 7.1.7 and its JSON schema): the role of a publisher, one directory, no OpenPGP
 * keys. There from the first day, before anything is published.
 */
export function providerMetadata({ publisher, lastUpdated }: FeedState, baseUrl: string) {
  const feed = feedAddress(publisher.slug, baseUrl)
  return {
    canonical_url: `${feed}/provider-metadata.json`,
    distributions: [{ directory_url: `${feed}/white/` }],
    last_updated: lastUpdated.toISOString(),
    list_on_CSAF_aggregators: true,
    metadata_version: '2.0',
    mirror_on_CSAF_aggregators: true,
    publisher: {
      category: 'vendor',
      contact_details: contactDetails(publisher),
      name: publisher.companyName,
      namespace: namespaceOf(publisher, baseUrl),
    },
    role: 'csaf_publisher',
  }
}
