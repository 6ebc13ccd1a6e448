import { sql } from 'kysely'
import type { Regime } from '../../contract/alerts/events.ts'
import { allIds } from '../../contract/public/public-id.ts'
import type { Severity } from '../../contract/severities.ts'
import type { Db } from '../../database/connection.ts'
import { selectFixedVersions, selectMalware } from '../../findings/fixed-versions.ts'
import { entriesOn } from '../../vulndata/catalogues/entries-on.ts'
import type { Incident } from '../record/lock-incident.ts'
import { selectAffected, type AffectedComponent } from '../record/select-affected.ts'
import { selectRegimeSettings } from '../regimes/settings.ts'
import type { DraftFacts } from './draft-facts.ts'
import { selectProductsInReport } from './kept/products-in-report.ts'

/** What is known of an incident, for the drafts of one of its regimes. */
export async function selectDraftFacts(db: Db, incident: Incident, regime: Regime): Promise<DraftFacts> {
  const { company_name: manufacturer, security_contact_email: contact } = await db
    .selectFrom('workspace')
    .select(['company_name', 'security_contact_email'])
    .where('id', '=', incident.workspace_id)
    .executeTakeFirstOrThrow()
  const clock = await db
    .selectFrom('incident_regime')
    .select(['aware_at', 'classified_at'])
    .where('incident_id', '=', incident.id)
    .where('regime', '=', regime)
    .executeTakeFirst()
  const affected = await selectAffected(db, incident.workspace_id, incident.id)
  const ids = await selectIds(db, incident)
  return {
    reference: incident.reference,
    title: incident.title,
    description: null,
    manufacturer,
    contact,
    products: await selectProducts(db, incident, affected),
    components: await componentsOf(db, affected),
    ...ids,
    vulnerability: await selectKnownVulnerability(db, incident, affected),
    exploited: await selectListings(db, incident),
    measures: null,
    userMeasures: null,
    fixedProducts: await selectFixedProducts(db, incident, affected),
    memberStates: incident.member_states,
    kept: (await selectProductsInReport(db, incident)).products,
    company: (await selectRegimeSettings(db, incident.workspace_id)).doraFacts,
    awareAt: clock?.aware_at ?? incident.aware_at,
    classifiedAt: clock?.classified_at ?? null,
    occurredAt: incident.occurred_at,
    measureAvailableAt: incident.measure_available_at,
  }
}

/** What is affected and what the vulnerability behind it is. */
export async function selectKnownFlaw(
  db: Db,
  incident: Incident,
): Promise<Pick<DraftFacts, 'components' | 'vulnerability'>> {
  const affected = await selectAffected(db, incident.workspace_id, incident.id)
  return {
    components: await componentsOf(db, affected),
    vulnerability: await selectKnownVulnerability(db, incident, affected),
  }
}

const collator = new Intl.Collator('en', { numeric: true })

async function selectProducts(
  db: Db,
  { id, workspace_id }: Incident,
  affected: readonly AffectedComponent[],
): Promise<DraftFacts['products']> {
  const families = await db
    .selectFrom('incident_family as i')
    .innerJoin('family as y', 'y.id', 'i.family_id')
    .select(['y.id', 'y.name'])
    .where('i.workspace_id', '=', workspace_id)
    .where('i.incident_id', '=', id)
    .execute()
  return families
    .toSorted((one, other) => collator.compare(one.name, other.name))
    .map(({ id: familyId, name }) => {
      const own = affected.flatMap(({ family_id, version }) =>
        family_id === familyId && version !== null ? [version] : [],
      )
      return { name, versions: [...new Set(own)].sort(collator.compare) }
    })
}

async function componentsOf(
  db: Db,
  affected: readonly AffectedComponent[],
): Promise<DraftFacts['components']> {
  const subjects = affected.map(({ identity_id: identityId, group_id: groupId }) => ({ identityId, groupId }))
  const fixedIn = await selectFixedVersions(db, subjects)
  const malware = await selectMalware(
    db,
    affected.map((each) => each.group_id),
  )
  const components = new Map<string, DraftFacts['components'][number]>()
  for (const { component: name, component_version: version, identity_id, group_id } of affected) {
    const key = JSON.stringify([name, version])
    const fixed = fixedIn({ identityId: identity_id, groupId: group_id })
    if (!components.has(key))
      components.set(key, { name, version, fixedIn: fixed, isMalware: malware.has(group_id) })
  }
  return [...components.values()]
}

function namesOf({ vuln_key, aliases }: Pick<Incident, 'vuln_key' | 'aliases'>): string[] {
  return vuln_key === null ? [] : allIds(vuln_key, aliases)
}

async function selectIds(db: Db, incident: Incident): Promise<Pick<DraftFacts, 'cveIds' | 'euvdIds'>> {
  const names = namesOf(incident)
  const cveIds = names.filter((name) => name.startsWith('CVE-'))
  const mapped = await db
    .selectFrom('euvd_mapping')
    .select('euvd_id')
    .where('cve_id', '=', sql<string>`any(${cveIds}::text[])`)
    .orderBy('euvd_id')
    .execute()
  const known = names.filter((name) => name.startsWith('EUVD-'))
  return { cveIds, euvdIds: [...new Set([...known, ...mapped.map(({ euvd_id }) => euvd_id)])] }
}

/** The entries of catalogues on any of its names that are there now. */
async function selectListings(db: Db, incident: Incident): Promise<DraftFacts['exploited']> {
  const { rows } = await sql<DraftFacts['exploited'][number]>`
    with entry as (
      select distinct o.id
      from unnest(${namesOf(incident)}::text[]) n (id) cross join lateral ${entriesOn(sql`n.id`)} o
    )
    select e.source as catalogue, coalesce(e.cve_id, e.euvd_id) as id, e.listed_on as "listedOn"
    from entry y
    join exploited e on e.id = y.id and e.removed_at is null
    order by e.source desc, 2`.execute(db)
  return rows
}

type StoredVulnerability = {
  summary: string
  severity: Severity
  score: number | null
  vector: string | null
}

/** From what it affects or, where it was opened by hand, from the records under its name. */
async function selectKnownVulnerability(
  db: Db,
  { vuln_key }: Incident,
  affected: readonly AffectedComponent[],
): Promise<DraftFacts['vulnerability']> {
  const groups = [...new Set(affected.map(({ group_id }) => group_id))]
  const { rows } = await sql<StoredVulnerability>`
    with known (id) as (
      select unnest(${groups}::bigint[])
      union
      select v.group_id
      from alias_assertion a
      join vulnerability v on v.id = a.vulnerability_id and v.withdrawn_at is null
      where a.other_id = ${vuln_key ?? ''} and a.relation in ('self', 'alias')
    )
    select g.summary, g.severity, g.score, v.vector
    from known k
    join vulnerability_group g on g.id = k.id
    left join vulnerability v on v.record_id = g.severity_source and v.score is not distinct from g.score
    order by g.score desc nulls last, g.id
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** Versions of its products whose verdict is that it is fixed there. */
async function selectFixedProducts(
  db: Db,
  { id, workspace_id }: Incident,
  affected: readonly AffectedComponent[],
): Promise<DraftFacts['fixedProducts']> {
  const groups = [...new Set(affected.map(({ group_id }) => group_id))]
  const { rows } = await sql<{ name: string; version: string }>`
    select distinct y.name, v.name as version
    from incident_family i
    join family y on y.id = i.family_id
    join finding f on f.family_id = i.family_id and f.closed_at is null and f.verdict = 'fixed'
      and f.group_id = any(${groups}::bigint[])
    join product_version v on v.id = f.version_id
    where i.workspace_id = ${workspace_id} and i.incident_id = ${id}
      and not exists (
        select from finding o
        where o.family_id = f.family_id and o.version_id = f.version_id and o.group_id = f.group_id
          and o.closed_at is null and o.verdict is distinct from 'fixed' and o.verdict is distinct from 'not_affected'
      )`.execute(db)
  return rows.toSorted((one, other) =>
    collator.compare(`${one.name} ${one.version}`, `${other.name} ${other.version}`),
  )
}
