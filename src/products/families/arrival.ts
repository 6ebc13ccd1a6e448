import { sql, type RawBuilder } from 'kysely'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/**
 * When the newest document of the family arrived; null before the first. Ask for it under the lock of the family's row, in a
 * statement after the one that took the lock: only that sees what the previous holder of the lock has stored. Served by sbom_family
 * and vex_document_family.
 */
export function lastArrival({ workspaceId, familyId }: FamilyKey): RawBuilder<Date | null> {
  return sql`greatest(
    (select max(received_at) from sbom where workspace_id = ${workspaceId} and family_id = ${familyId}),
    (select max(received_at) from vex_document where workspace_id = ${workspaceId} and family_id = ${familyId}))`
}

/**
 * When a document arrived that is stored now. Of two documents of a family the one stored later arrived later, even where the
 * processes' clocks differ or the clock was set back: what arrived last decides which SBOM speaks for the family.
 */
export function arrivalAfter(last: Date | null, now: Date): Date {
  return last === null || last < now ? now : new Date(last.getTime() + 1)
}
