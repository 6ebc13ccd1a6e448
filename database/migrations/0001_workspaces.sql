-- Companies, people, product families, tokens and the audit trail.

create table workspace (
  id uuid primary key,
  slug text not null unique,
  company_name text not null,
  security_contact_email text not null,
  time_zone text not null default 'UTC',
  plan text not null check (plan in ('trial', 'starter', 'core', 'plus', 'free')),
  trial_ends_at timestamptz,
  -- null: the plan has no end (self-hosted licences)
  paid_until timestamptz,
  closed_at timestamptz,
  created_at timestamptz not null
);

-- What the public disclosure pages and the advisory feed say of the company.
create table disclosure_settings (
  workspace_id uuid primary key references workspace (id),
  public_contact_email text,
  canonical_url text,
  -- days within which a report is acknowledged; null: no promise
  acknowledge_days integer
);

create table person (
  id uuid primary key,
  -- as typed; compared in lower case
  email text not null,
  name text not null,
  -- argon2id in PHC form; null until the person has chosen a password
  password_hash text,
  created_at timestamptz not null
);
create unique index person_email on person (lower(email));

create table member (
  workspace_id uuid not null references workspace (id),
  person_id uuid not null references person (id),
  role text not null check (role in ('owner', 'admin', 'lead', 'editor', 'viewer')),
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (workspace_id, person_id)
);
create index member_person on member (person_id);

create table session (
  id uuid primary key,
  -- SHA-256 of the cookie's value
  secret_hash bytea not null unique,
  person_id uuid not null references person (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index session_person on session (person_id);

-- Failed sign-ins of one address and e-mail, so that guessing is slow.
create table sign_in_failure (
  -- SHA-256 of what was tried and from where
  subject bytea primary key,
  window_started_at timestamptz not null,
  failures integer not null
);

-- The one-time link that makes the first owner of an installation.
create table setup_link (
  secret_hash bytea primary key,
  created_at timestamptz not null,
  used_at timestamptz
);

create table family (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  name text not null,
  current_version_id uuid,
  -- the number the next distinct component of this family gets; handed out under the row's lock
  next_component_number integer not null default 1,
  created_at timestamptz not null,
  archived_at timestamptz,
  deleted_at timestamptz,
  unique (workspace_id, id)
);
create unique index family_name on family (workspace_id, lower(name)) where deleted_at is null;

create table product_version (
  id uuid primary key,
  workspace_id uuid not null,
  family_id uuid not null,
  name text not null,
  created_at timestamptz not null,
  retired_at timestamptz,
  unique (family_id, name),
  unique (family_id, id),
  foreign key (workspace_id, family_id) references family (workspace_id, id)
);
alter table family add foreign key (id, current_version_id) references product_version (family_id, id);

create table token (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  -- upload: sends SBOMs and VEX for one family; results: reads them; workspace: manages destinations
  kind text not null check (kind in ('upload', 'results', 'workspace')),
  family_id uuid,
  name text not null,
  -- the first characters, shown in lists
  prefix text not null,
  -- SHA-256 of the whole token
  secret_hash bytea not null unique,
  created_at timestamptz not null,
  created_by uuid references person (id),
  expires_at timestamptz,
  revoked_at timestamptz,
  revoked_by uuid references person (id),
  check ((kind = 'workspace') = (family_id is null)),
  unique (workspace_id, id),
  foreign key (workspace_id, family_id) references family (workspace_id, id)
);
create index token_workspace on token (workspace_id, created_at);

-- Last use and the hourly window of a token, apart from it so that counting never waits for a storing transaction.
create table token_use (
  token_id uuid primary key references token (id),
  last_used_at timestamptz not null,
  window_started_at timestamptz not null,
  window_requests integer not null
);

create table audit_event (
  id bigint generated always as identity primary key,
  -- null: an act on the installation itself
  workspace_id uuid references workspace (id),
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('person', 'token', 'system')),
  actor_id uuid,
  actor_name text not null,
  action text not null,
  object_kind text not null,
  object_id text not null,
  object_name text,
  before jsonb,
  after jsonb,
  request_id text,
  address text
);
create index audit_event_workspace on audit_event (workspace_id, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end
$$;
create trigger audit_event_append_only before update or delete on audit_event
  for each row execute function refuse_change();
