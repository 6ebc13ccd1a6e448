import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connection.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import type { NamedBy, ReplacedSbom } from './reason-to-stay.ts'
import { isSaidAlike, namesakes, saidOf } from '../components/namesakes.ts'
import { replacedAt } from './replaced-at.ts'

type Row = Omit<ReplacedSbom, 'namedBy'> & { namedBy: NamedBy | null }

/**
 * The SBOMs of a family that a later one of the same version has replaced, the oldest first, with what names each of them. The newest of a
 * version is none of them, nor is the active one. Indexes sbom_family, incident_affected_key, incident_family_of, component_of_identity.
 */
export async function selectReplacedSboms(db: Db, family: FamilyKey): Promise<ReplacedSbom[]> {
  const { workspaceId, familyId } = family
  const { rows } = await sql<Row>`
    with slot as materialized (
      select s.id, s.version_id, s.active, s.status, s.size_bytes, s.component_count, s.sha256, s.received_at,
        ${replacedAt('s', 'r')} as replaced_at,
        row_number() over (partition by s.version_id order by s.received_at desc, s.id desc) as age
      from sbom s
      left join sbom r on r.id = s.replaced_by
      where s.workspace_id = ${workspaceId} and s.family_id = ${familyId}
    ),
    replaced as materialized (
      select *, row_number() over (partition by version_id order by received_at desc, id desc) as place
      from slot
      where not active and age > 1
    ),
    ${componentsInQuestion(family)},
    ${incidentsOnFamily(family)},
    ${reportsFromOutside(family)},
    ${advisedProducts(family)},
    ${mentionedSboms(family)}
    select r.id, r.place, r.replaced_at as "replacedAt", r.size_bytes as "sizeBytes", r.component_count as components,
      r.status in ('matched', 'failed') as "isSettled",
      case
        when ${lists('q.reported')} or r.received_at < (select reported_until from on_family)
          or exists (select from from_outside o where o.received_at >= r.received_at and o.received_at < r.replaced_at)
          then 'report'
        when ${lists('q.under_incident')} or r.received_at < (select incident_until from on_family) then 'incident'
        when exists (select from advised a where a.is_range or a.version_id = r.version_id::text) then 'advisory'
        when ${lists('q.held_back')} or ${isEvidence(family)} then 'evidence'
      end as "namedBy"
    from replaced r
    left join sbom_inventory v on v.sbom_id = r.id
    left join in_question q on q.version_id is not distinct from r.version_id
    order by r.received_at, r.id`.execute(db)
  return rows
}

/** Whether the SBOM of `v` lists one of these components; one whose components were never counted may. */
function lists(numbers: string): RawBuilder<boolean> {
  const sought = sql.ref(numbers)
  return sql<boolean>`(${sought} is not null and (v.numbers is null or v.numbers && ${sought}))`
}

/**
 * Components, by their numbers, that make every SBOM of a version that lists them one that is named: those of an incident, those of one that was
 * reported to an authority, and those whose incident was held back by a verdict. What was noted of one keeps the identity that it had then: an SBOM
 * that has been identified again since lists the same component under another one.
 */
function componentsInQuestion({ workspaceId, familyId }: FamilyKey): RawBuilder<unknown> {
  const numbers = sql`range_agg(int4range(c.number, c.number, '[]'))`
  return sql`
    sought as (
      select a.version_id, a.identity_id, exists (
          select from submission f where f.workspace_id = a.workspace_id and f.incident_id = a.incident_id
        ) as is_reported, false as is_held_back
      from incident_affected a
      where a.workspace_id = ${workspaceId} and a.family_id = ${familyId}
      union
      select version_id, identity_id, false, true
      from suppressed_opening
      where workspace_id = ${workspaceId} and family_id = ${familyId}
    ),
    wanted as materialized (
      select k.version_id, k.is_reported, k.is_held_back, ${saidOf}
      from sought k
      join component n on n.identity_id = k.identity_id and n.family_id = ${familyId}
    ),
    ${namesakes},
    in_question as materialized (
      select n.version_id, ${numbers} filter (where n.is_reported) as reported,
        ${numbers} filter (where not n.is_reported and not n.is_held_back) as under_incident,
        ${numbers} filter (where n.is_held_back) as held_back
      from wanted n
      join namesake c on ${isSaidAlike}
      group by n.version_id
    )`
}

/** An incident that names the family and none of its components names every SBOM that came before it was closed. */
function incidentsOnFamily({ workspaceId, familyId }: FamilyKey): RawBuilder<unknown> {
  return sql`
    on_family as materialized (
      select max(until) filter (where is_reported) as reported_until,
        max(until) filter (where not is_reported) as incident_until
      from (
        select coalesce(i.closed_at, 'infinity') as until, exists (
            select from submission f where f.workspace_id = i.workspace_id and f.incident_id = i.id
          ) as is_reported
        from incident_family y
        join incident i on i.workspace_id = y.workspace_id and i.id = y.incident_id
        where y.workspace_id = ${workspaceId} and y.family_id = ${familyId} and not exists (
          select from incident_affected a where a.incident_id = y.incident_id and a.family_id = y.family_id
        )
      ) one
    )`
}

/** A report from outside on the family is about what was in force when it came. */
function reportsFromOutside({ workspaceId, familyId }: FamilyKey): RawBuilder<unknown> {
  return sql`
    from_outside as materialized (
      select received_at from inbox_report
      where workspace_id = ${workspaceId} and family_id = ${familyId} and state not in ('spam', 'out_of_scope')
    )`
}

/** Versions of the family that advisories name, drafts too; a range is text, so it is about all of them. */
function advisedProducts({ workspaceId, familyId }: FamilyKey): RawBuilder<unknown> {
  return sql`
    advised as materialized (
      select p ->> 'versionId' as version_id, coalesce((p ->> 'isRange')::boolean, false) as is_range
      from (
        select content from advisory_version where workspace_id = ${workspaceId}
        union all select content from advisory_draft where workspace_id = ${workspaceId}
      ) d
      cross join jsonb_array_elements(d.content -> 'products') as p
      where p ->> 'familyId' = ${familyId}::text
    )`
}

/** Ids and hashes that people wrote down where they decided and reported: a link to the page of an SBOM has its id. */
function mentionedSboms({ workspaceId }: FamilyKey): RawBuilder<unknown> {
  const id = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
  return sql`
    mentioned as materialized (
      select distinct lower(m.words[1]) as word
      from (
        select concat_ws(' ', reasoning, comment, array_to_string(evidence, ' ')) as text
        from determination where workspace_id = ${workspaceId}
        union all select concat_ws(' ', reason, comment) from awareness_change where workspace_id = ${workspaceId}
        union all select data::text from incident_entry where workspace_id = ${workspaceId}
        union all select title from incident_task where workspace_id = ${workspaceId}
        union all select concat_ws(' ', title, close_reason, users_informed, maintainer_informed) from incident where workspace_id = ${workspaceId}
        union all select reason from incident_regime where workspace_id = ${workspaceId}
        union all select reason from regime_report where workspace_id = ${workspaceId}
        union all select field_values::text from report_draft where workspace_id = ${workspaceId}
        union all select concat_ws(' ', draft, external_reference, delay_reason) from submission where workspace_id = ${workspaceId}
        union all select content::text from advisory_draft where workspace_id = ${workspaceId}
        union all select content::text from advisory_version where workspace_id = ${workspaceId}
        union all select comment from verdict_decision where workspace_id = ${workspaceId}
        union all select reason from dismissed_match where workspace_id = ${workspaceId}
      ) t
      cross join lateral regexp_matches(t.text, ${`([0-9a-f]{64}|${id})`}, 'gi') as m (words)
    )`
}

/** A link of a VEX document leads into it, a verdict that counts or counted is its own, or somebody mentions it. */
function isEvidence({ workspaceId, familyId }: FamilyKey): RawBuilder<boolean> {
  return sql<boolean>`(
    exists (
      select from vex_link l
      where l.workspace_id = ${workspaceId} and l.family_id = ${familyId} and l.sbom_id = r.id
    )
    or exists (
      select from vex_document d
      where d.sbom_id = r.id and (
        exists (select from finding f where f.verdict_document_id = d.id)
        or exists (select from suppressed_opening o where o.document_id = d.id)
        or exists (
          select from incident_affected a
          where a.workspace_id = ${workspaceId} and a.family_id = ${familyId} and a.noted_document_id = d.id
        )
      )
    )
    or exists (select from mentioned m where m.word in (r.id::text, encode(r.sha256, 'hex')))
  )`
}
