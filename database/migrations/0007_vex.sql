-- What manufacturers and scanners say about vulnerabilities of a family, document by document.

create table vex_document (
  id uuid primary key,
  workspace_id uuid not null,
  family_id uuid not null,
  -- the version it holds for; null: every version. Of an SBOM's own document: the version of the SBOM, null being the slot without version
  version_id uuid,
  -- the SBOM that carried it, with which it comes and goes; null for a document of its own
  sbom_id uuid,
  -- of the decompressed file
  sha256 bytea not null,
  format text not null check (format in ('openvex', 'csaf', 'cyclonedx')),
  format_label text not null,
  document_id text,
  author text,
  document_time timestamptz,
  source text not null check (source in ('hosted_ci', 'pipeline_ci', 'sbom_tracker', 'sbom_hub', 'api', 'application')),
  -- name of the token or person that sent it, as it was then
  sent_by text not null,
  token_id uuid,
  -- of both kinds, as stored; entries that name no vulnerability are neither stored nor counted
  statement_count integer not null,
  finding_count integer not null,
  unbound_count integer not null,
  hints jsonb not null,
  size_bytes integer not null,
  -- as received; an SBOM keeps its own file
  raw bytea,
  raw_encoding text check (raw_encoding in ('identity', 'gzip', 'zstd')),
  received_at timestamptz not null,
  replaced_by uuid,
  replaced_at timestamptz,
  withdrawn_at timestamptz,
  withdrawn_by uuid references person (id),
  check ((raw is null) = (sbom_id is not null)),
  check ((raw is null) = (raw_encoding is null)),
  check ((replaced_by is null) = (replaced_at is null)),
  unique (workspace_id, family_id, id),
  foreign key (workspace_id, family_id) references family (workspace_id, id),
  foreign key (family_id, version_id) references product_version (family_id, id),
  foreign key (workspace_id, sbom_id) references sbom (workspace_id, id),
  foreign key (workspace_id, token_id) references token (workspace_id, id),
  -- deferred: the newcomer takes the slot before it is there
  foreign key (workspace_id, family_id, replaced_by) references vex_document (workspace_id, family_id, id)
    deferrable initially deferred
);
-- raw is compressed already
alter table vex_document alter column raw set storage external;
create unique index vex_document_file on vex_document (family_id, sha256) where sbom_id is null;
create unique index vex_document_sbom on vex_document (sbom_id);
create unique index vex_document_active on vex_document (family_id, version_id, source) nulls not distinct
  where replaced_by is null and withdrawn_at is null and sbom_id is null;
create index vex_document_family on vex_document (workspace_id, family_id, received_at desc, id desc);
create index vex_document_replaced on vex_document (replaced_by);

-- The statements and reported findings of a document, in its order.
create table vex_statement (
  workspace_id uuid not null,
  family_id uuid not null,
  document_id uuid not null,
  number integer not null,
  kind text not null check (kind in ('statement', 'finding')),
  -- the id named first, then aliases; never empty
  vulnerability_ids text[] not null,
  verdict text check (verdict in ('affected', 'under_investigation', 'fixed', 'not_affected')),
  raw_status text,
  justification text,
  raw_justification text,
  impact text,
  action text,
  responses text[] not null,
  -- the statement's own time, else the document's
  stated_at timestamptz,
  -- JSON pointer into the document
  pointer text not null,
  product_label text not null,
  unbound_reason text check (unbound_reason in ('no_identifier', 'unknown_reference', 'no_product')),
  check ((kind = 'statement') = (verdict is not null)),
  primary key (document_id, number),
  foreign key (workspace_id, family_id, document_id) references vex_document (workspace_id, family_id, id)
);

-- How the findings of a family find what is said about their vulnerability. This table and the next are written with the statement by
-- the hundred thousand, and removed with it: foreign keys would take half the time.
create table vex_claim (
  workspace_id uuid not null,
  family_id uuid not null,
  -- CVE and GHSA ids in their canonical spelling, others as written
  vulnerability_id text collate "C" not null,
  document_id uuid not null,
  number integer not null,
  primary key (document_id, number, vulnerability_id)
);
create index vex_claim_vulnerability on vex_claim (family_id, vulnerability_id);

-- What a statement speaks about.
create table vex_target (
  workspace_id uuid not null,
  family_id uuid not null,
  document_id uuid not null,
  number integer not null,
  place integer not null,
  kind text not null check (kind in ('component', 'product', 'bom_link')),
  -- as written
  purl text,
  cpe text,
  -- type/namespace/name of a readable purl as its type compares them
  purl_key text collate "C",
  -- { serialNumber, version, ref }
  bom_link jsonb,
  -- { purl, cpe }
  carrier jsonb,
  -- [{ version, range, status }]; null: not narrowed
  versions jsonb,
  primary key (document_id, number, place)
);
