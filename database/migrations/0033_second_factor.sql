-- A second factor beside the password, and when a person last proved who they are.

-- when the person of a session last proved who they are; null for sessions of earlier releases: not lately
alter table session add column confirmed_at timestamptz;
-- whether more than a password opened the session
alter table session add column has_second_factor boolean not null default false;

-- The authenticator app of a person: a secret from which both sides work out a code every 30 seconds (RFC 6238).
create table authenticator (
  id uuid primary key,
  person_id uuid not null references person (id),
  secret_sealed bytea not null,
  created_at timestamptz not null,
  -- null: no code of it has been shown yet, so it counts for nothing
  confirmed_at timestamptz,
  -- the time step of the last code that was accepted: none of it or before it is accepted again
  last_step bigint not null default 0
);
create unique index authenticator_confirmed on authenticator (person_id) where confirmed_at is not null;
create unique index authenticator_pending on authenticator (person_id) where confirmed_at is null;

-- What lets a person in who has lost the rest; each works once.
create table recovery_code (
  person_id uuid not null references person (id),
  -- SHA-256 of the code; codes have 80 random bits
  code_hash bytea not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (person_id, code_hash)
);

-- A sign-in whose password was right and that waits for the second factor.
create table sign_in_step (
  -- SHA-256 of what the browser answers with
  secret_hash bytea primary key,
  person_id uuid not null references person (id),
  created_at timestamptz not null
);
create index sign_in_step_person on sign_in_step (person_id);
create index sign_in_step_created on sign_in_step (created_at);
