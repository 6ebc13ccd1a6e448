-- What members decide about findings, and the verdict in force on each finding.

create table verdict_decision (
  id uuid primary key,
  workspace_id uuid not null,
  family_id uuid not null,
  -- it holds for every version of the family, later ones included; version_id is null then
  every_version boolean not null,
  -- the version it holds for, null being the slot without version
  version_id uuid,
  -- the package of the component that was judged; its version may change
  package_key text not null collate "C",
  -- an id of the vulnerability; it holds for the group of records that knows the id
  vulnerability_id text not null collate "C",
  verdict text not null check (verdict in ('affected', 'under_investigation', 'fixed', 'not_affected')),
  justification text,
  comment text not null,
  decided_at timestamptz not null,
  decided_by uuid not null references person (id),
  -- as it was then
  decided_by_name text not null,
  -- null: it holds until somebody ends it
  expires_at timestamptz,
  -- replaced by a later one on the same, or revoked
  ended_at timestamptz,
  ended_by uuid references person (id),
  ended_by_name text,
  replaced_by uuid,
  check (not every_version or version_id is null),
  check (replaced_by is null or ended_at is not null),
  unique (workspace_id, family_id, id),
  foreign key (workspace_id, family_id) references family (workspace_id, id),
  foreign key (family_id, version_id) references product_version (family_id, id),
  -- deferred: the newcomer takes the place before it is there
  foreign key (workspace_id, family_id, replaced_by) references verdict_decision (workspace_id, family_id, id)
    deferrable initially deferred
);
create unique index verdict_decision_standing
  on verdict_decision (family_id, package_key, vulnerability_id, every_version, version_id) nulls not distinct
  where ended_at is null;
create index verdict_decision_history on verdict_decision (family_id, package_key, decided_at desc);

-- What the BOM-Links of VEX documents point to, read once from each stored SBOM that a link names.
create table vex_link (
  workspace_id uuid not null,
  family_id uuid not null,
  document_id uuid not null,
  number integer not null,
  place integer not null,
  sbom_id uuid not null,
  -- the main component of the SBOM: the link means the whole product
  is_product boolean not null,
  -- both null and no product: the SBOM has no such reference, or it names nothing
  purl text,
  cpe text,
  primary key (document_id, number, place, sbom_id)
);

create index vex_target_link on vex_target (family_id) where kind = 'bom_link';

-- The effective verdict of a finding, and whose word it is: a decision, or a statement of a document.
alter table finding
  add column verdict text check (verdict in ('affected', 'under_investigation', 'fixed', 'not_affected')),
  add column verdict_justification text,
  add column verdict_decision_id uuid,
  add column verdict_document_id uuid,
  add column verdict_statement integer,
  -- when the member decided, or when the document arrived
  add column verdict_since timestamptz,
  add check ((verdict is null) = (verdict_since is null)),
  add check ((verdict is null) = (num_nonnulls(verdict_decision_id, verdict_document_id) = 0)),
  add check ((verdict_document_id is null) = (verdict_statement is null));
create index finding_decision on finding (verdict_decision_id) where verdict_decision_id is not null;
create index finding_document on finding (verdict_document_id) where verdict_document_id is not null;
