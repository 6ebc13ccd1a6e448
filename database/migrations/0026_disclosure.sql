-- What the world tells a company: the disclosure policy, reports of vulnerabilities, and the thread with whoever sent one.

alter table disclosure_settings
  -- in the company's words; null: the fixed ones
  add column policy text,
  -- of a key, never the key itself
  add column encryption_url text,
  add column languages text[] not null default '{en,nb,de}',
  add column embargo_days smallint not null default 90;

-- Families that the report form offers.
create table offered_family (
  workspace_id uuid not null references workspace (id),
  family_id uuid not null references family (id),
  primary key (workspace_id, family_id)
);

-- The last number given in a workspace.
create table inbox_counter (
  workspace_id uuid primary key references workspace (id),
  last_number integer not null
);

create table inbox_report (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  number integer not null,
  received_at timestamptz not null,
  -- as promised then; null: nothing was
  acknowledge_by timestamptz,
  answered_at timestamptz,
  -- when members are next told that it is not answered; null: never again
  remind_at timestamptz,
  state text not null check (state in ('new', 'acknowledged', 'investigating', 'confirmed', 'not_reproduced', 'duplicate',
    'out_of_scope', 'spam', 'fixed', 'disclosed', 'closed')),
  state_at timestamptz not null,
  spam_reasons text[] not null default '{}',
  -- that it was told to destinations and members
  told_at timestamptz,
  family_id uuid references family (id),
  language text not null check (language in ('en', 'nb', 'de')),
  exploited text not null check (exploited in ('yes', 'no', 'unknown')),
  embargo_until date,
  wants_credit boolean not null,
  credit_consent boolean not null,
  duplicate_of uuid,
  -- SHA-256 of the token in the reporter's link
  receipt_hash bytea unique,
  -- the token itself, where mail is to carry the link
  receipt_sealed bytea,
  -- who reports and what (contract/inbox.ts, ReportText); null: erased
  text_sealed bytea,
  -- of the description, keyed: finds repeated texts
  text_hash bytea,
  closed_at timestamptz,
  erased_at timestamptz,
  unique (workspace_id, id),
  unique (workspace_id, number),
  foreign key (workspace_id, duplicate_of) references inbox_report (workspace_id, id)
);
create index inbox_report_listed on inbox_report (workspace_id, state, number desc);
create index inbox_report_remind on inbox_report (remind_at) where remind_at is not null;
create index inbox_report_repeated on inbox_report (workspace_id, text_hash, received_at);
create index inbox_report_spam on inbox_report (state_at) where state = 'spam';
create index inbox_report_kept on inbox_report (closed_at) where state = 'closed' and erased_at is null;
create index inbox_report_duplicates on inbox_report (workspace_id, duplicate_of) where duplicate_of is not null;

-- Messages of both sides, notes of members, and changes of state.
create table inbox_entry (
  id uuid primary key,
  workspace_id uuid not null,
  report_id uuid not null,
  kind text not null check (kind in ('reporter', 'company', 'outside', 'note', 'state')),
  at timestamptz not null,
  person_id uuid references person (id),
  -- null: a change of state, or erased
  text_sealed bytea,
  state text,
  foreign key (workspace_id, report_id) references inbox_report (workspace_id, id) on delete cascade,
  check ((kind = 'state') = (state is not null))
);
create index inbox_entry_report on inbox_entry (report_id, at, id);

create table inbox_attachment (
  id uuid primary key,
  workspace_id uuid not null,
  report_id uuid not null,
  size_bytes integer not null,
  name_sealed bytea not null,
  content_sealed bytea not null,
  foreign key (workspace_id, report_id) references inbox_report (workspace_id, id) on delete cascade
);
create index inbox_attachment_report on inbox_attachment (report_id);
-- what is sealed cannot be compressed, and is read in parts by whoever looks for its key
alter table inbox_attachment alter column content_sealed set storage external;

-- Incidents that a report belongs to.
create table inbox_report_incident (
  workspace_id uuid not null,
  report_id uuid not null,
  incident_id uuid not null,
  linked_at timestamptz not null,
  primary key (report_id, incident_id),
  foreign key (workspace_id, report_id) references inbox_report (workspace_id, id) on delete cascade
);

-- Forms that were sent: each can be sent once.
create table used_form (
  stamp bytea primary key,
  used_at timestamptz not null
);
create index used_form_used on used_form (used_at);

-- How often something was done from a place, in a window of an hour. The subject is a keyed hash.
create table disclosure_window (
  subject bytea primary key,
  window_started_at timestamptz not null,
  hits integer not null
);
create index disclosure_window_started on disclosure_window (window_started_at);

-- Thanks that whoever is thanked agreed to.
create table acknowledgment (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  report_id uuid,
  name text not null,
  link text,
  day date not null,
  foreign key (workspace_id, report_id) references inbox_report (workspace_id, id),
  unique (report_id)
);
create index acknowledgment_workspace on acknowledgment (workspace_id, day desc, id desc);
