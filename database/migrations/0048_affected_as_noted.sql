-- What the timeline of an incident has last said of each component that it is about: whether it is in the active SBOM of its version, and
-- which verdict declares it away, by which document; without one by a member.
alter table incident_affected
  add column noted_gone boolean not null default false,
  add column noted_verdict text,
  add column noted_document_id uuid;

-- What is so already is no event of the day of the upgrade.
update incident_affected a
set noted_gone = not n.is_present, noted_verdict = n.verdict, noted_document_id = n.document_id
from (
  select l.incident_id, l.family_id, l.version_id, l.identity_id,
    f.id is not null or exists (
      select from sbom s
      join component c on c.family_id = s.family_id and c.identity_id = l.identity_id and c.number = any(s.component_numbers)
      where s.family_id = l.family_id and s.version_id is not distinct from l.version_id and s.active
    ) as is_present,
    f.verdict, case when f.verdict is not null then f.verdict_document_id end as document_id
  from incident_affected l
  left join lateral (
    select o.id, o.verdict_document_id, case when o.verdict in ('not_affected', 'fixed') then o.verdict end as verdict
    from finding o
    where o.family_id = l.family_id and o.version_id is not distinct from l.version_id and o.identity_id = l.identity_id
      and o.closed_at is null and o.group_id in (
        select l.group_id
        union
        select v.group_id from alias_assertion n join vulnerability v on v.id = n.vulnerability_id
        where n.other_id = l.vuln_key and n.relation in ('self', 'alias', 'upstream')
      )
    order by o.group_id <> l.group_id, o.id limit 1
  ) f on true
) n
where a.incident_id = n.incident_id and a.family_id = n.family_id and a.version_id is not distinct from n.version_id
  and a.identity_id = n.identity_id and (not n.is_present or n.verdict is not null);
