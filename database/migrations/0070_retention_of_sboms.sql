-- How long a family keeps the SBOMs that a later one of the same version has replaced; a family without a row keeps all.
create table sbom_retention (
  family_id uuid primary key,
  workspace_id uuid not null,
  keep text not null check (keep in ('all', 'last', 'days')),
  -- so many of each version, or so many days after they were replaced
  amount integer check (amount > 0),
  -- the customer has decided that CRA Art. 13(13) holds none of them back
  cra_lifted_at timestamptz,
  cra_lifted_by_name text,
  changed_at timestamptz not null,
  changed_by_name text not null,
  check ((keep = 'all') = (amount is null)),
  check ((cra_lifted_at is null) = (cra_lifted_by_name is null)),
  foreign key (workspace_id, family_id) references family (workspace_id, id)
);
-- What stays of an SBOM that was removed, under the id that it had.
create table removed_sbom (
  id uuid primary key,
  workspace_id uuid not null,
  family_id uuid not null,
  version_id uuid,
  sha256 bytea not null,
  format text not null,
  spec_version text not null,
  size_bytes integer not null,
  component_count integer not null,
  -- on its components in its version, closed ones too; they stay
  finding_count integer not null,
  received_at timestamptz not null,
  replaced_at timestamptz not null,
  removed_at timestamptz not null,
  -- the setting by which it went
  keep text not null check (keep in ('last', 'days')),
  amount integer not null,
  cra_lifted boolean not null,
  foreign key (workspace_id, family_id) references family (workspace_id, id),
  foreign key (family_id, version_id) references product_version (family_id, id)
);
create index removed_sbom_family on removed_sbom (workspace_id, family_id, removed_at desc, id desc);
-- null of the active one, and of those that were replaced before this was kept
alter table sbom add column replaced_at timestamptz;
