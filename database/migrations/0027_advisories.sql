-- Advisories: drafts, and the versions that were published with their bytes.

-- The addresses of a workspace are in published bytes from its first publication on.
alter table workspace add column slug_frozen_at timestamptz;

create function refuse_frozen_slug() returns trigger language plpgsql as $$
begin
  raise exception 'the slug of workspace % is in published advisories', old.id;
end
$$;
create trigger workspace_slug_frozen before update of slug on workspace
  for each row when (old.slug_frozen_at is not null and old.slug is distinct from new.slug)
  execute function refuse_frozen_slug();

-- How a workspace publishes; its row is locked by whoever publishes or numbers an advisory, so that both happen one after the other.
create table advisory_feed (
  workspace_id uuid primary key references workspace (id),
  -- null: made from the slug
  tracking_prefix text,
  -- whoever changed a draft last does not publish it
  second_person_publishes boolean not null default false,
  -- one more with each publication: whoever keeps files of the feed compares it
  generation bigint not null default 0,
  -- of any publication: a later one has a later date
  last_released_at timestamptz,
  -- of the last publication as TLP:WHITE
  last_white_at timestamptz
);

-- The last number in the tracking ids of a year.
create table advisory_number (
  workspace_id uuid not null references workspace (id),
  year integer not null,
  last integer not null,
  primary key (workspace_id, year)
);

create table advisory (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  tracking_id text not null,
  -- what the tracking id becomes in the feed: ids that differ may become the same
  file_name text not null,
  created_at timestamptz not null,
  created_by_name text not null,
  -- of its newest draft: every save has a number of its own, whatever was published or deleted in between
  last_revision integer not null,
  -- of the version in force; null: never published
  current_ordinal integer,
  -- UTC year of the first publication: the folder in the feed
  year integer,
  first_released_at timestamptz,
  unique (workspace_id, id),
  unique (workspace_id, file_name),
  check ((current_ordinal is null) = (first_released_at is null)),
  check ((current_ordinal is null) = (year is null))
);
create index advisory_workspace on advisory (workspace_id, created_at desc, id desc);

-- What is being worked on: the first version, or the next one on top of what is published.
create table advisory_draft (
  advisory_id uuid primary key,
  workspace_id uuid not null,
  -- a save on an older one is refused
  revision integer not null,
  state text not null check (state in ('draft', 'in_review', 'approved')),
  -- contract/advisories.ts
  content jsonb not null,
  edited_at timestamptz not null,
  edited_by uuid,
  edited_by_name text not null,
  foreign key (workspace_id, advisory_id) references advisory (workspace_id, id)
);

create table advisory_version (
  id uuid primary key,
  workspace_id uuid not null,
  advisory_id uuid not null,
  -- 1, 2, 3 in the order of publication
  ordinal integer not null,
  number text not null,
  kind text not null check (kind in ('first', 'update', 'correction')),
  tlp text not null check (tlp in ('WHITE', 'GREEN', 'AMBER', 'RED')),
  title text not null,
  summary text not null,
  released_at timestamptz not null,
  published_by uuid,
  published_by_name text not null,
  -- as the document says it
  publisher_name text not null,
  publisher_contact text not null,
  namespace text not null,
  -- what the document was made of
  content jsonb not null,
  -- the document, served as it is
  bytes bytea not null,
  -- lower-case hexadecimal
  sha256 text not null,
  sha512 text not null,
  unique (advisory_id, ordinal),
  unique (advisory_id, number),
  foreign key (workspace_id, advisory_id) references advisory (workspace_id, id)
);
create index advisory_version_workspace on advisory_version (workspace_id, released_at);
create trigger advisory_version_append_only before update or delete on advisory_version
  for each row execute function refuse_change();
alter table advisory add foreign key (id, current_ordinal) references advisory_version (advisory_id, ordinal);

-- What an advisory was made from or belongs to; many to many.
create table advisory_link (
  workspace_id uuid not null,
  advisory_id uuid not null,
  kind text not null check (kind in ('incident', 'inbox_report')),
  object_id uuid not null,
  linked_at timestamptz not null,
  linked_by_name text not null,
  primary key (workspace_id, advisory_id, kind, object_id),
  foreign key (workspace_id, advisory_id) references advisory (workspace_id, id)
);
create index advisory_link_object on advisory_link (workspace_id, kind, object_id);
