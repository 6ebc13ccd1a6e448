-- What carries the component that a statement is about narrows the statement: there may be several, one inside the other.

alter table vex_target rename column carrier to carriers;
-- [{ purl, cpe }], the innermost first
update vex_target set carriers = jsonb_build_array(carriers) where carriers is not null;

-- A statement of which no identifier can be read can be laid on nothing.
alter table vex_statement drop constraint vex_statement_unbound_reason_check;
alter table vex_statement add constraint vex_statement_unbound_reason_check
  check (unbound_reason in ('no_identifier', 'unknown_reference', 'no_product', 'unreadable_identifier'));
with unreadable as (
  update vex_statement s set unbound_reason = 'unreadable_identifier'
  where s.kind = 'statement' and s.unbound_reason is null and not exists (
    select from vex_target t
    where t.document_id = s.document_id and t.number = s.number
      and (t.purl_key is not null or t.cpe is not null or t.kind = 'bom_link')
  )
  returning s.document_id
)
update vex_document d set unbound_count = d.unbound_count + u.statements
from (select document_id, count(*) as statements from unreadable group by document_id) u
where d.id = u.document_id;

-- The verdicts of families with documents are worked out again.
insert into job (kind, key, workspace_id, payload, state, run_at, created_at, max_attempts)
select distinct 'refresh_findings', d.family_id::text, d.workspace_id,
  jsonb_build_object('workspaceId', d.workspace_id, 'familyId', d.family_id), 'waiting', now(), now(), 5
from vex_document d
on conflict do nothing;
