-- Originals in an object store: one row for each object that was put there, or is about to be. An object is written once, and named by one row.
create table original_object (
  id uuid primary key,
  -- no reference: the row outlives the workspace until its object is erased
  workspace_id uuid not null,
  -- of the file, as pages show it
  sha256 bytea not null,
  -- of the object, which is sealed
  sealed_sha256 bytea not null,
  sealed_bytes integer not null,
  -- the encryption key that sealed it
  key_id bigint not null,
  -- staged: nothing that was acknowledged names it yet; kept: a row names it; erasing: nothing names it any more
  state text not null check (state in ('staged', 'kept', 'erasing')),
  -- real time, like the leases of jobs
  staged_at timestamptz not null default now(),
  -- since when a row has named it; null of one that none ever did
  kept_at timestamptz,
  -- real time from which it may be erased
  erase_from timestamptz,
  check ((state = 'erasing') = (erase_from is not null)),
  unique (workspace_id, id)
);
create index original_object_key on original_object (key_id) where state = 'kept';
create index original_object_staged on original_object (staged_at) where state = 'staged';
create index original_object_erasing on original_object (workspace_id, erase_from) where state = 'erasing';

alter table sbom add column object_id uuid;
alter table sbom alter column raw drop not null;
alter table sbom add constraint sbom_original check ((raw is null) = (object_id is not null));
alter table sbom add constraint sbom_object foreign key (workspace_id, object_id) references original_object (workspace_id, id);
create unique index sbom_object on sbom (workspace_id, object_id) where object_id is not null;

alter table vex_document add column object_id uuid;
alter table vex_document drop constraint vex_document_check;
alter table vex_document drop constraint vex_document_check1;
alter table vex_document add constraint vex_document_original check (num_nonnulls(raw, object_id, sbom_id) = 1);
alter table vex_document add constraint vex_document_encoding check ((raw_encoding is null) = (sbom_id is not null));
alter table vex_document add constraint vex_document_object foreign key (workspace_id, object_id) references original_object (workspace_id, id);
create unique index vex_document_object on vex_document (workspace_id, object_id) where object_id is not null;

alter table inbox_attachment add column object_id uuid;
alter table inbox_attachment alter column content_sealed drop not null;
alter table inbox_attachment add constraint inbox_attachment_original check ((content_sealed is null) = (object_id is not null));
alter table inbox_attachment add constraint inbox_attachment_object foreign key (workspace_id, object_id) references original_object (workspace_id, id);
create unique index inbox_attachment_object on inbox_attachment (workspace_id, object_id) where object_id is not null;

alter table submission add column object_id uuid;
alter table submission add constraint submission_original check (num_nonnulls(receipt, object_id) = case when receipt_name is null then 0 else 1 end);
alter table submission add constraint submission_object foreign key (workspace_id, object_id) references original_object (workspace_id, id);
create unique index submission_object on submission (workspace_id, object_id) where object_id is not null;

-- Whatever deletes a row, the object that it named is to be erased. One whose content lies elsewhere now stays for an hour: who has just read where
-- it lies reads it there, an export of a whole workspace included.
create function release_original() returns trigger language plpgsql as $$
begin
  update original_object
  set state = 'erasing', erase_from = case when tg_op = 'DELETE' then now() else now() + interval '1 hour' end
  where workspace_id = old.workspace_id and id = old.object_id;
  return null;
end
$$;
create trigger sbom_released after delete on sbom for each row when (old.object_id is not null) execute function release_original();
create trigger sbom_moved after update of object_id on sbom for each row
  when (old.object_id is not null and old.object_id is distinct from new.object_id) execute function release_original();
create trigger vex_document_released after delete on vex_document for each row when (old.object_id is not null) execute function release_original();
create trigger vex_document_moved after update of object_id on vex_document for each row
  when (old.object_id is not null and old.object_id is distinct from new.object_id) execute function release_original();
create trigger inbox_attachment_released after delete on inbox_attachment for each row when (old.object_id is not null) execute function release_original();
create trigger inbox_attachment_moved after update of object_id on inbox_attachment for each row
  when (old.object_id is not null and old.object_id is distinct from new.object_id) execute function release_original();
create trigger submission_released after delete on submission for each row when (old.object_id is not null) execute function release_original();
create trigger submission_moved after update of object_id on submission for each row
  when (old.object_id is not null and old.object_id is distinct from new.object_id) execute function release_original();
