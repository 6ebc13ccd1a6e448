-- An original that is gone for good stays named by its row: `lost`, since an operator has given it up by name (`objects give-up`) or since it came from another
-- installation without its bytes. There is nothing of the latter in any bucket (no bytes), so its row goes at once with what named it.
alter table original_object drop constraint original_object_state_check;
-- The rows there are already had fewer states to choose from; the next step has them checked without stopping writers.
alter table original_object add constraint original_object_state_check check (state in ('staged', 'kept', 'erasing', 'lost')) not valid;

create or replace function release_original() returns trigger language plpgsql as $$
begin
  delete from original_object
  where workspace_id = old.workspace_id and id = old.object_id and state = 'lost' and sealed_bytes = 0;
  update original_object
  set state = 'erasing', erase_from = case when tg_op = 'DELETE' then now() else now() + interval '1 hour' end
  where workspace_id = old.workspace_id and id = old.object_id;
  return null;
end
$$;
