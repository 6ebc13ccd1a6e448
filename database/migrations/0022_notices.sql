-- What members are told in person: the bell of the application, mail, the daily digest, and what each of them chose.

-- A member's own choices; a member without a row has made none.
create table member_notices (
  workspace_id uuid not null,
  person_id uuid not null,
  -- of the digest; null: the workspace's
  time_zone text,
  -- by kind (contract/notices.ts): at_once, digest or never
  choices jsonb not null default '{}',
  primary key (workspace_id, person_id),
  foreign key (workspace_id, person_id) references member (workspace_id, person_id)
);

-- What the bell shows one person.
create table bell_entry (
  id uuid primary key,
  -- null: about the person's own account, shown in every workspace
  workspace_id uuid references workspace (id),
  person_id uuid not null references person (id),
  -- of what happened: told once to each person
  event_id uuid not null,
  kind text not null,
  fact jsonb not null,
  -- told by name, whatever the role
  is_named boolean not null,
  created_at timestamptz not null,
  read_at timestamptz,
  -- when a digest took it up, or passed it over
  digested_at timestamptz,
  unique (event_id, person_id)
);
create index bell_entry_person on bell_entry (person_id, created_at desc, id desc);
create index bell_entry_unread on bell_entry (created_at) where read_at is null;
create index bell_entry_read on bell_entry (read_at) where read_at is not null;
create index bell_entry_undigested on bell_entry (workspace_id, person_id) where digested_at is null;

-- Messages to be sent, and those that were. The id is part of the Message-ID.
create table mail (
  id uuid primary key,
  workspace_id uuid references workspace (id),
  person_id uuid not null references person (id),
  event_id uuid not null,
  -- of a notice, or digest
  kind text not null,
  fact jsonb not null,
  is_named boolean not null,
  recipient text not null,
  recipient_name text not null,
  -- written when its turn first comes, and the same when it is repeated
  message_id text,
  subject text,
  text text,
  html text,
  state text not null check (state in ('waiting', 'sending', 'sent', 'failed', 'kept', 'not_sent')),
  created_at timestamptz not null,
  due_at timestamptz not null,
  attempts smallint not null default 0,
  -- times a process ended while it was sending
  crashes smallint not null default 0,
  leased_by text,
  -- real time
  leased_until timestamptz,
  ended_at timestamptz,
  -- why it waits again, failed or was not sent
  reason text,
  unique (event_id, person_id)
);
create index mail_waiting on mail (due_at, id) where state = 'waiting';
create index mail_sending on mail (leased_until) where state = 'sending';
create index mail_ended on mail (ended_at) where ended_at is not null;
create index mail_listed on mail (created_at desc, id desc);

-- Up to when a member has been told of what can wait. One row for each member; a digest is made by whoever moves it on.
create table digest_turn (
  workspace_id uuid not null,
  person_id uuid not null,
  -- of the last digest, by the calendar of the member's zone
  day date not null,
  until timestamptz not null,
  primary key (workspace_id, person_id),
  foreign key (workspace_id, person_id) references member (workspace_id, person_id)
);

-- That something is about to end has been told, so many days before.
create table expiry_notice (
  -- a token or a workspace
  object_id uuid not null,
  ends_at timestamptz not null,
  days smallint not null,
  told_at timestamptz not null,
  primary key (object_id, ends_at, days)
);
create index expiry_notice_ended on expiry_notice (ends_at);

-- From where a person has signed in before.
create index audit_event_signed_in on audit_event (object_id) where action = 'person.signed_in';
create index token_expires on token (expires_at) where expires_at is not null and revoked_at is null;

-- When matching was given up; null for SBOMs that failed under an earlier release.
alter table sbom add column failed_at timestamptz;
create index sbom_failed on sbom (workspace_id, failed_at) where status = 'failed';
