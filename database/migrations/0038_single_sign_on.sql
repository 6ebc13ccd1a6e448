-- Signing in to a workspace with the OpenID Connect issuer of the company.

-- owners keep their own way in
alter table workspace add column requires_single_sign_on boolean not null default false;

-- the workspace whose issuer opened the session, which is good for that workspace alone; null: the person's own password or passkey did
alter table session add column company_workspace_id uuid references workspace (id);

create table single_sign_on (
  id uuid primary key,
  workspace_id uuid not null unique references workspace (id),
  issuer text not null,
  client_id text not null,
  -- null: a public client, which PKCE protects alone
  client_secret_sealed bytea,
  changed_at timestamptz not null
);

-- Domains of e-mail addresses that the company has shown to be its own.
create table workspace_domain (
  workspace_id uuid not null references workspace (id),
  domain text not null,
  -- what its TXT record has to say
  proof text not null,
  created_at timestamptz not null,
  verified_at timestamptz,
  primary key (workspace_id, domain)
);
create index workspace_domain_verified on workspace_domain (domain) where verified_at is not null;

-- Which account of the issuer is which person.
create table company_link (
  workspace_id uuid not null references workspace (id),
  issuer text not null,
  subject text not null,
  person_id uuid not null references person (id),
  created_at timestamptz not null,
  primary key (workspace_id, issuer, subject),
  unique (workspace_id, issuer, person_id)
);

-- A browser that was sent to the issuer. State, nonce and PKCE verifier follow from the secret that the browser keeps.
create table company_sign_in (
  -- SHA-256 of the secret
  secret_hash bytea primary key,
  workspace_id uuid not null references workspace (id),
  -- the session that is to be confirmed; null: one is opened
  session_id uuid,
  created_at timestamptz not null
);
create index company_sign_in_created on company_sign_in (created_at);
