import { hasPublicAdvisory } from '../advisories/feed/public-advisories.ts'
import { feedAddress } from '../advisories/feed/publisher.ts'
import type { Db } from '../database/connection.ts'
import type { PublicDisclosure } from '../disclosure/settings/public-disclosure.ts'

/** Address of the provider metadata once an advisory was published as TLP:WHITE; null before. */
export async function announcedFeed(
  db: Db,
  { workspaceId, slug }: Pick<PublicDisclosure, 'workspaceId' | 'slug'>,
  baseUrl: string,
): Promise<string | null> {
  const isAnnounced = await hasPublicAdvisory(db, workspaceId)
  return isAnnounced ? `${feedAddress(slug, baseUrl)}/provider-metadata.json` : null
}
