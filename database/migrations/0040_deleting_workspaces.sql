-- What is append-only stays so, except for the rows of a workspace that its owners have deleted: the transaction that removes them names it.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    -- the chain of a workspace's audit trail has its id
    if coalesce(to_jsonb(old) ->> 'workspace_id', to_jsonb(old) ->> 'chain') = current_setting('service.deleted_workspace', true) then
      return old;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end
$$;

create or replace function refuse_frozen_slug() returns trigger language plpgsql as $$
begin
  if old.id::text = current_setting('service.deleted_workspace', true) then
    return new;
  end if;
  raise exception 'the slug of workspace % is in published advisories', old.id;
end
$$;
