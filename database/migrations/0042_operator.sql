-- Whoever runs the service opens its pages for operators with a link from the command line. Neither table names a workspace or a person.
create table operator_link (
  -- SHA-256
  secret_hash bytea primary key,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create table operator_session (
  id uuid primary key,
  -- SHA-256
  secret_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  address text not null
);
