import type { Db } from '../../database/connection.ts'
import { networkOf, siteOf } from '../../platform/client-address.ts'
import type { KeyRing } from '../../platform/sealing/key-ring.ts'
import { countHit } from './hits.ts'
import { reportsAnHour, type ReportHits } from './judge-spam.ts'

type Arriving = { workspaceId: string; address: string; now: Date }

/** Undefined: too many have come. Reports refused from one address or site do not count against the workspace. */
export async function countReport(
  db: Db,
  ring: KeyRing,
  { workspaceId, address, now }: Arriving,
): Promise<ReportHits | undefined> {
  const subjects = {
    address: ['report', workspaceId, networkOf(address)],
    site: ['report', workspaceId, 'site', siteOf(address)],
    workspace: ['report', workspaceId],
  }
  const hits = { address: 0, site: 0, workspace: 0 }
  for (const what of ['address', 'site', 'workspace'] as const) {
    hits[what] = await countHit(db, ring, subjects[what], { now })
    if (hits[what] > reportsAnHour[what].refused) return undefined
  }
  return hits
}
