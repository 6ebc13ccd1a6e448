-- People join by mail: sign-up, invitations, a forgotten password, another e-mail address.

-- What a link in a message may do, once. Its secret is in the message alone.
create table one_time_link (
  id uuid primary key,
  purpose text not null check (purpose in ('sign_up', 'invitation', 'password_reset', 'email_change')),
  -- SHA-256
  secret_hash bytea not null unique,
  -- for the message that brings it; null once the link has ended
  secret_sealed bytea,
  -- whose mailbox proves who they are
  recipient text not null,
  -- whose account it is about; null: nobody's so far
  person_id uuid references person (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- used, replaced or withdrawn
  ended_at timestamptz
);
create index one_time_link_person on one_time_link (person_id) where ended_at is null;
create index one_time_link_expires on one_time_link (expires_at);

-- A workspace that somebody asked for and that begins when its link is used.
create table sign_up (
  link_id uuid primary key references one_time_link (id) on delete cascade,
  name text not null,
  company_name text not null,
  slug text not null,
  security_contact_email text not null,
  time_zone text not null,
  -- the terms that were accepted; null: the operator names none
  terms_url text
);

create table invitation (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  email text not null,
  role text not null check (role in ('owner', 'admin', 'lead', 'editor', 'viewer')),
  invited_by uuid references person (id),
  invited_by_name text not null,
  created_at timestamptz not null,
  -- the last time
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  -- the one in force; null once it is forgotten
  link_id uuid references one_time_link (id) on delete set null,
  accepted_at timestamptz,
  accepted_by uuid references person (id),
  withdrawn_at timestamptz
);
create unique index invitation_waiting on invitation (workspace_id, lower(email))
  where accepted_at is null and withdrawn_at is null;
create index invitation_link on invitation (link_id) where link_id is not null;
create index invitation_by on invitation (workspace_id, invited_by)
  where accepted_at is null and withdrawn_at is null;

-- Requests that make the service send mail, counted by where they come from and where the mail goes.
create table mail_request_window (
  -- SHA-256 of what is counted
  subject bytea primary key,
  window_started_at timestamptz not null,
  ends_at timestamptz not null,
  requests integer not null
);
create index mail_request_window_ends on mail_request_window (ends_at);

-- by whose clock the person sees times; null: the browser's
alter table person add column time_zone text;

-- A message may go to an address that is nobody's here; the link in it is not stored with its words.
alter table mail alter column person_id drop not null;
alter table mail add column link_id uuid references one_time_link (id) on delete set null;
create unique index mail_letter on mail (event_id) where person_id is null;
