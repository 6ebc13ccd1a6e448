-- Statements bind to components whose CPE leaves its part open, or whose purl spells its qualifiers otherwise: the verdicts of families with documents in force
-- that name something so are worked out again. Not at once, since a process of the earlier release may still be at work.
insert into job (kind, key, workspace_id, payload, state, run_at, created_at, max_attempts)
select distinct 'refresh_findings', d.family_id::text, d.workspace_id,
  jsonb_build_object('workspaceId', d.workspace_id, 'familyId', d.family_id), 'waiting', now() + interval '15 minutes', now(), 5
from vex_document d
join family y on y.id = d.family_id and y.deleted_at is null
where d.replaced_by is null and d.withdrawn_at is null
  and exists (select from vex_target t where t.document_id = d.id and (t.cpe is not null or t.purl like '%?%'))
on conflict do nothing;
