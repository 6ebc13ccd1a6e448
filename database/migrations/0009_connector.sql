-- What the Dependency-Track connector tells people: the platform never shows the answers it gets.

-- Refused requests, a bounded number for each family.
create table connector_refusal (
  id uuid primary key,
  workspace_id uuid not null,
  family_id uuid not null,
  -- the last one of `times` equal ones in a row
  at timestamptz not null,
  times integer not null default 1,
  -- code of the answer
  error text not null,
  detail text,
  -- as far as the notification could be read
  notification_group text,
  project_name text,
  project_version text,
  size_bytes integer,
  token_id uuid not null,
  -- as it was then
  token_name text not null,
  -- when a BOM of the project was taken after all
  resolved_at timestamptz,
  foreign key (workspace_id, family_id) references family (workspace_id, id),
  foreign key (workspace_id, token_id) references token (workspace_id, id)
);
create index connector_refusal_family on connector_refusal (family_id, at desc, id desc);
create index connector_refusal_unresolved on connector_refusal (workspace_id, family_id) where resolved_at is null;

-- The last test notification of each family.
create table connector_test (
  family_id uuid primary key,
  workspace_id uuid not null,
  at timestamptz not null,
  notification_group text not null,
  token_name text not null,
  foreign key (workspace_id, family_id) references family (workspace_id, id)
);
