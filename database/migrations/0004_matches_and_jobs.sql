-- Which identities are affected by what, each family's findings, and the queue.

-- Computed once per identity, whoever uploads it. Derived data that `rematch` can rebuild, written by the hundred thousand:
-- foreign keys would take half the time, and neither identities nor records are ever deleted.
create table identity_match (
  identity_id uuid not null,
  vulnerability_id bigint not null,
  grade text not null check (grade in ('exact', 'possible')),
  -- why the grade is not exact; null when it is
  grade_reason text,
  -- the range that contains the version
  range_id bigint not null,
  matched_at timestamptz not null,
  primary key (identity_id, vulnerability_id)
);
create index identity_match_vulnerability on identity_match (vulnerability_id);

-- One vulnerability (group) on one component (identity) in one product version of a family.
create table finding (
  id uuid primary key,
  workspace_id uuid not null,
  family_id uuid not null,
  version_id uuid,
  identity_id uuid not null references component_identity (id),
  group_id bigint not null references vulnerability_group (id),
  grade text not null check (grade in ('exact', 'possible')),
  -- catalogues that list the vulnerability directly: kev, euvd
  exploited_by text[] not null,
  first_seen_at timestamptz not null,
  -- set when the product version no longer has it; cleared when it returns
  closed_at timestamptz,
  foreign key (workspace_id, family_id) references family (workspace_id, id),
  foreign key (family_id, version_id) references product_version (family_id, id)
);
create unique index finding_subject on finding (family_id, version_id, identity_id, group_id) nulls not distinct;
create index finding_group on finding (group_id);
create index finding_identity on finding (identity_id) where closed_at is null;
create index finding_exploited on finding (family_id) where closed_at is null and exploited_by <> '{}';
create index finding_workspace on finding (workspace_id, family_id) where closed_at is null;

create table job (
  id bigint generated always as identity primary key,
  kind text not null,
  -- at most one waiting job per kind and key
  key text,
  -- whose turn it takes; the nil UUID: the installation's
  workspace_id uuid not null,
  payload jsonb not null,
  state text not null check (state in ('waiting', 'running', 'failed')),
  -- product time
  run_at timestamptz not null,
  created_at timestamptz not null,
  attempts integer not null default 0,
  max_attempts integer not null,
  -- real time, so that a jump of the product clock orphans no job
  leased_until timestamptz,
  leased_by text,
  failed_at timestamptz,
  last_error text
);
create unique index job_waiting_key on job (kind, key) where state = 'waiting' and key is not null;
create index job_waiting on job (workspace_id, run_at, id) where state = 'waiting';
create index job_running on job (leased_until) where state = 'running';
create index job_failed on job (kind, id) where state = 'failed';
