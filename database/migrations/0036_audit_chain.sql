-- The audit trail as chains of digests, one for each workspace and one for acts on the installation (the nil UUID): docs/audit.md.
-- What an act writes is due to be chained; a schedule chains it once it is committed, so that no act waits for another.
create table audit_due (
  chain uuid not null,
  event_id bigint not null,
  primary key (chain, event_id)
);

create table audit_link (
  chain uuid not null,
  position bigint not null,
  event_id bigint not null unique,
  hash bytea not null,
  primary key (chain, position)
);
create trigger audit_link_append_only before update or delete on audit_link
  for each row execute function refuse_change();
create trigger audit_link_not_truncated before truncate on audit_link
  for each statement execute function refuse_change();

-- The last link of each chain; whoever chains holds its row.
create table audit_chain (
  chain uuid primary key,
  position bigint not null,
  hash bytea not null
);

create function note_due() returns trigger language plpgsql as $$
begin
  insert into audit_due (chain, event_id)
  select coalesce(workspace_id, '00000000-0000-0000-0000-000000000000'), id from added;
  return null;
end
$$;

create trigger audit_event_due after insert on audit_event
  referencing new table as added for each statement execute function note_due();

insert into audit_due (chain, event_id)
select coalesce(workspace_id, '00000000-0000-0000-0000-000000000000'), id from audit_event;
