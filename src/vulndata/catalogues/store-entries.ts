import { sql } from 'kysely'
import type { Catalogue } from '../../contract/findings/shapes.ts'
import type { Tx } from '../../database/connection.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { refuseShrunk } from '../one-file/refuse-shrunk.ts'
import type { CatalogueEntry } from './entry.ts'
import {
  changesListing,
  planChanges,
  type CataloguePlan,
  type StoredEntry,
  type WantedEntry,
} from './plan-changes.ts'

type List = {
  /** The file it is of, and the catalogue that belongs to: the EU KEV file and the dump of the European database are one. */
  feed: string
  catalogue: Catalogue
  entries: readonly CatalogueEntry[]
  now: Date
}

/**
 * Takes over a feed's newest entries, inside the import's transaction. Refuses (`RefusedData`) one of less than half its
 * previous size. A job updates the findings, only when the list of vulnerabilities has changed.
 */
export async function storeEntries(tx: Tx, { feed, catalogue, entries, now }: List): Promise<CataloguePlan> {
  const stored = await selectEntries(tx, catalogue)
  const plan = planChanges(feed, stored, entries)
  refuseShrunk(entries.length, plan.before)
  await writeEntries(tx, { catalogue, rows: plan.write, now })
  if (changesListing(plan, stored)) await enqueueExploitedRefresh(tx, now)
  return plan
}

/** Findings name the catalogues that list them: a job recalculates that. */
export async function enqueueExploitedRefresh(tx: Tx, now: Date): Promise<void> {
  await enqueue(tx, { kind: 'refresh_exploited', key: 'all', payload: {}, runAt: now })
}

async function selectEntries(tx: Tx, catalogue: Catalogue): Promise<StoredEntry[]> {
  const rows = await tx
    .selectFrom('exploited')
    .select(['id', 'cve_id', 'euvd_id', 'name', 'listed_on', 'removed_at', 'entry'])
    .where('source', '=', catalogue)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    cveId: row.cve_id,
    euvdId: row.euvd_id,
    name: row.name,
    listedOn: row.listed_on,
    removedAt: row.removed_at,
    parts: row.entry as StoredEntry['parts'],
  }))
}

type Writing = { catalogue: Catalogue; rows: readonly WantedEntry[]; now: Date }

async function writeEntries(tx: Tx, { catalogue, rows, now }: Writing): Promise<void> {
  const added = rows.filter((row) => row.id === null)
  const known = rows.filter((row) => row.id !== null)
  if (known.length > 0) {
    await sql`
      update exploited e
      set cve_id = n.cve_id, euvd_id = n.euvd_id, name = n.name, listed_on = n.listed_on, entry = n.entry,
        removed_at = case when n.is_removed then coalesce(e.removed_at, ${now}::timestamptz) end
      from ${entryColumns(known)}
      where e.id = n.id`.execute(tx)
  }
  if (added.length > 0) {
    await sql`
      insert into exploited (source, cve_id, euvd_id, name, listed_on, first_seen_at, entry)
      select ${catalogue}, n.cve_id, n.euvd_id, n.name, n.listed_on, ${now}::timestamptz, n.entry
      from ${entryColumns(added)}`.execute(tx)
  }
}

function entryColumns(rows: readonly WantedEntry[]) {
  return sql`unnest(
      ${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.cveId)}::text[],
      ${rows.map((row) => row.euvdId)}::text[], ${rows.map((row) => row.name)}::text[],
      ${rows.map((row) => row.listedOn)}::date[], ${rows.map((row) => JSON.stringify(row.parts))}::jsonb[],
      ${rows.map((row) => row.isRemoved)}::boolean[]
    ) as n (id, cve_id, euvd_id, name, listed_on, entry, is_removed)`
}
