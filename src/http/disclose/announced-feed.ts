import type { Db } from '../../database/connection.ts'
import type { PublicDisclosure } from '../../disclosure/settings/public-disclosure.ts'

/** Address of the provider metadata once an advisory was published as TLP:WHITE; null before: nothing can be published so far. */
export function announcedFeed(
  _db: Db,
  _disclosure: Pick<PublicDisclosure, 'workspaceId' | 'slug'>,
  _baseUrl: string,
): Promise<string | null> {
  return Promise.resolve(null)
}
