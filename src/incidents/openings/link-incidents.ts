import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { isName } from '../../findings/verdicts/names-of-group.ts'
import { staysHere } from '../../workspace/state.ts'
import { addEntries, system } from '../record/timeline.ts'

type Pair = {
  workspaceId: string
  one: string
  other: string
  oneReference: string
  otherReference: string
  oneKey: string
  otherKey: string
}

const pairsAtOnce = 500

/**
 * Links open incidents whose vulnerabilities turned out to be the same, by their alias groups and the mapping of EUVD ids to CVEs. Both stay as
 * they are; each timeline says so once. Any number of processes may do it at once. Drills are left out.
 */
export async function linkIncidents(db: Db, now: Date): Promise<void> {
  let linked
  do linked = await linkSome(db, now)
  while (linked === pairsAtOnce)
}

async function linkSome(db: Db, now: Date): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Pair>`
      with pair as (${pairs}),
      linked as (
        insert into incident_link (workspace_id, one, other, linked_at)
        select workspace_id, one, other, ${now} from pair
        on conflict do nothing
        returning one, other
      )
      select a.workspace_id as "workspaceId", a.id as one, b.id as other, a.reference as "oneReference",
        b.reference as "otherReference", a.vuln_key as "oneKey", b.vuln_key as "otherKey"
      from linked l join incident a on a.id = l.one join incident b on b.id = l.other
      order by a.id, b.id`.execute(tx)
    const lines = rows.flatMap(({ workspaceId, ...pair }) => [
      { workspaceId, incidentId: pair.one, data: { reference: pair.otherReference, vulnKey: pair.otherKey } },
      { workspaceId, incidentId: pair.other, data: { reference: pair.oneReference, vulnKey: pair.oneKey } },
    ])
    await addEntries(
      tx,
      lines.map((line) => ({ ...line, at: now, actor: system, kind: 'linked' as const })),
    )
    return rows.length
  })
}

/** Those that are not linked yet. Indexes alias_assertion_other, euvd_mapping_pkey. */
const pairs = sql`
  with open_one as materialized (
    select i.id, i.workspace_id, i.vuln_key from incident i
    join workspace w on w.id = i.workspace_id and ${staysHere('w')}
    where i.status = 'open' and i.vuln_key is not null and not i.is_exercise
  ),
  key as materialized (select distinct vuln_key from open_one),
  name as materialized (
    select vuln_key, vuln_key as id from key
    union
    select k.vuln_key, m.cve_id from key k join euvd_mapping m on m.euvd_id = k.vuln_key
  ),
  grouped as materialized (
    select distinct n.vuln_key, v.group_id
    from name n
    join alias_assertion a on a.other_id = n.id and ${isName('a')}
    join vulnerability v on v.id = a.vulnerability_id and v.withdrawn_at is null
  ),
  same as (
    select x.vuln_key as one, y.vuln_key as other from grouped x join grouped y on y.group_id = x.group_id
    union
    select n.vuln_key, n.id from name n
  )
  select distinct a.workspace_id, least(a.id, b.id) as one, greatest(a.id, b.id) as other
  from same s
  join open_one a on a.vuln_key = s.one
  join open_one b on b.vuln_key = s.other and b.workspace_id = a.workspace_id and b.id <> a.id
  where s.one <> s.other and not exists (
    select from incident_link l where l.one = least(a.id, b.id) and l.other = greatest(a.id, b.id)
  )
  limit ${sql.lit(pairsAtOnce)}`
