import { sql, type RawBuilder } from 'kysely'
import { containing } from '../platform/postgres/like-pattern.ts'
import { namesOfRow, saysText } from '../findings/reads/component-spellings.ts'
import { spellId } from '../findings/reads/find-vulnerability.ts'

/**
 * Common table expressions ending in `sought (key)`: the ids of `affected_vulnerability` that have the text in the id, an alias, the summary
 * or a component, or whose record is about what has it as its whole id. Another CVE that one of its groups names is another row, and does
 * not find this one. Of components those count in which it was found.
 *
 * `offset` makes the server look up rows one by one: by its estimates it would read the rows of all workspaces. Indexes:
 * vulnerability_of_group, alias_assertion primary key, finding_workspace, component_of_identity.
 */
export function soughtVulnerabilities(text: string, workspaceId: string): RawBuilder<unknown> {
  const pattern = containing(text)
  return sql`
    aliased_group as (
      select g.id
      from (select group_id as id from name_of_group union select own_group from name_of_group) g
      cross join lateral (select id from vulnerability where group_id = g.id offset 0) r
      cross join lateral (
        select from alias_assertion
        where vulnerability_id = r.id and relation in ('self', 'alias') and other_id not like 'CVE-%'
          and other_id ilike ${pattern}
        offset 0
      ) a
    ),
    found_part as materialized (
      select distinct family_id, identity_id, group_id from finding where workspace_id = ${workspaceId} and closed_at is null
    ),
    named_part as materialized (
      select f.family_id, f.identity_id
      from (select distinct family_id, identity_id from found_part) f
      cross join lateral (
        select from component c
        where c.family_id = f.family_id and c.identity_id = f.identity_id and c.workspace_id = ${workspaceId}
          and ${saysText(namesOfRow('c'), text)}
        limit 1
      ) c
    ),
    sought as materialized (
      select id as key from affected_vulnerability where id ilike ${pattern} or summary ilike ${pattern}
      union
      select key from known_name where name ilike ${pattern}
      union
      select cve_id collate "C" from euvd_mapping where euvd_id = ${spellId(text)}
      union
      select n.key from aliased_group a join name_of_group n on n.group_id = a.id
      union
      select n.key from aliased_group a join name_of_group n on n.own_group = a.id
      union
      select n.key
      from named_part p
      join found_part f on f.family_id = p.family_id and f.identity_id = p.identity_id
      join name_of_group n on n.group_id = f.group_id
    )`
}
