-- Uploaded SBOMs, the components of each family, and the identities all workspaces share.

-- What a component is to vulnerability data. Holds nothing of a tenant and is never listed across workspaces.
create table component_identity (
  -- 128 bits of SHA-256 over package key (or subject), version, release, stream and scheme: whoever brings the thing names
  -- it by the same id without asking
  id uuid primary key,
  ecosystem text,
  -- ecosystem, U+001F, name as the registry compares it; null when no source covers the component
  package_key text collate "C",
  subject text not null,
  version text not null,
  -- '' where the ecosystem has no releases; null where it has and this component's is unknown
  release text collate "C",
  stream text not null,
  scheme text,
  version_key bytea,
  key_generation integer not null,
  decidability text not null
    check (decidability in ('covered', 'not_covered', 'no_version', 'uncomparable', 'release_unknown')),
  reason text,
  basis text not null check (basis in ('purl', 'cpe', 'guessed_cpe', 'name')),
  created_at timestamptz not null,
  -- null: never matched
  matched_at timestamptz
) with (fillfactor = 80);  -- room for the stamp of the first match, which touches no index
create index component_identity_package on component_identity (package_key);

create table sbom (
  id uuid primary key,
  workspace_id uuid not null,
  family_id uuid not null,
  -- null is a slot of its own: an SBOM that names no version
  version_id uuid,
  -- of the decompressed file
  sha256 bytea not null,
  status text not null check (status in ('received', 'parsed', 'matched', 'failed')),
  active boolean not null,
  replaced_by uuid references sbom (id),
  format text not null check (format in ('cyclonedx', 'spdx')),
  spec_version text not null,
  document_name text,
  document_id text,
  document_created_at text,
  tools text[] not null,
  operating_system jsonb,
  main_component jsonb,
  hints jsonb not null,
  vulnerability_entries integer not null,
  source text not null check (source in ('hosted_ci', 'pipeline_ci', 'sbom_tracker', 'sbom_hub', 'api', 'application')),
  -- name of the token or person that sent it, as it was then
  sent_by text not null,
  token_id uuid,
  commit_id text,
  branch text,
  repository text,
  run_url text,
  size_bytes integer not null,
  raw bytea not null,
  raw_encoding text not null check (raw_encoding in ('identity', 'gzip')),
  component_count integer not null,
  -- numbers of the family's components, ascending
  component_numbers integer[] not null,
  -- for each of them the component through which it comes in: 0 the product itself, null where the document does not say
  parent_numbers integer[] not null default '{}',
  -- pairs of numbers: the first one's package installed the files by which the second was found
  owner_numbers integer[] not null default '{}',
  owned_numbers integer[] not null default '{}',
  received_at timestamptz not null,
  matched_at timestamptz,
  failure text,
  unique (family_id, sha256),
  unique (workspace_id, id),
  foreign key (workspace_id, family_id) references family (workspace_id, id),
  foreign key (family_id, version_id) references product_version (family_id, id),
  foreign key (workspace_id, token_id) references token (workspace_id, id)
);
-- raw is compressed already; numbers are read whole
alter table sbom alter column raw set storage external;
create unique index sbom_active on sbom (family_id, version_id) nulls not distinct where active;
create index sbom_owners on sbom (family_id) where active and owner_numbers <> '{}';
create index sbom_family on sbom (workspace_id, family_id, received_at desc, id desc);

-- One row per distinct component of a family; SBOMs name them by number.
create table component (
  workspace_id uuid not null,
  family_id uuid not null,
  number integer not null,
  -- 128 bits of SHA-256 over the columns below and what else its identity depends on
  hash uuid not null,
  -- the identity itself may still wait in identity_batch
  identity_id uuid not null,
  type text,
  group_name text,
  name text not null,
  version text,
  purl text,
  cpe text,
  licence text,
  supplier text,
  hashes text[] not null,
  primary key (family_id, number),
  unique (family_id, hash)
);
create index component_identity_use on component (identity_id);

-- Identities of an upload's new components, written into component_identity by the job that matches them. Each column holds one
-- value for each identity, as text that `string_to_array` takes apart.
create table identity_batch (
  workspace_id uuid not null,
  family_id uuid not null,
  sbom_id uuid not null,
  place integer not null,
  id text not null,
  ecosystem text not null,
  package_key text not null,
  subject text not null,
  version text not null,
  release text not null,
  stream text not null,
  scheme text not null,
  version_key text not null,
  key_generation integer not null,
  decidability text not null,
  reason text not null,
  basis text not null,
  primary key (family_id, sbom_id, place)
);
-- short-lived: compressing would cost more than writing
alter table identity_batch
  alter column id set storage external,
  alter column ecosystem set storage external,
  alter column package_key set storage external,
  alter column subject set storage external,
  alter column version set storage external,
  alter column release set storage external,
  alter column stream set storage external,
  alter column scheme set storage external,
  alter column version_key set storage external,
  alter column decidability set storage external,
  alter column reason set storage external,
  alter column basis set storage external;
