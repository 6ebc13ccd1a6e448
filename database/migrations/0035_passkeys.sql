-- Passkeys, and workspaces that ask for a second factor.

alter table workspace add column requires_second_factor boolean not null default false;

-- A key pair whose private half never leaves the device of the person (W3C Web Authentication, level 3).
create table passkey (
  id uuid primary key,
  person_id uuid not null references person (id),
  name text not null,
  credential_id text not null unique,
  public_key bytea not null,
  -- as the device counts its uses; 0: it does not
  sign_count bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_person on passkey (person_id, created_at);

-- What a passkey is to sign, each once and within five minutes.
create table passkey_challenge (
  challenge text primary key,
  purpose text not null check (purpose in ('register', 'sign_in', 'second_step', 'confirm')),
  -- null: whoever has the passkey says who it is
  person_id uuid references person (id),
  created_at timestamptz not null
);
create index passkey_challenge_created on passkey_challenge (created_at);
