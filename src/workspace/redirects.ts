import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../database/connection.ts'

/** Where the public addresses with this slug lead at the moment; undefined: nowhere. */
export async function findRedirect(db: Db, slug: string, now: Date): Promise<string | undefined> {
  const led = await db
    .selectFrom('moved_address')
    .select('origin')
    .where('slug', '=', slug)
    .where((of) => of.or([of('until', 'is', null), of('until', '>', now)]))
    .executeTakeFirst()
  return led?.origin
}

/** The address of a workspace that has moved stays reserved until its redirect ends. Codes: `invalid_request` (`slug`). */
export async function refuseRedirectedSlug(
  db: Db,
  { slug, now }: { slug: string; now: Date },
): Promise<void> {
  if ((await findRedirect(db, slug, now)) !== undefined) throw slugTaken()
}

export function slugTaken(): ServiceError {
  return new ServiceError('invalid_request', { fields: { slug: 'This address is taken.' } })
}
