-- Where components are, over all products of a workspace. Derived from `component` and `sbom` by the job that matches an SBOM,
-- so that nothing of it delays the answer to an upload.

-- The components of a workspace by name, in lower case.
create table component_name (
  workspace_id uuid not null,
  name text collate "C" not null,
  family_id uuid not null,
  number integer not null,
  primary key (workspace_id, name, family_id, number)
);

-- The distinct things that components of a workspace say of themselves, in lower case: few enough to look for a part of a word
-- in all of them.
create table component_text (
  workspace_id uuid not null,
  name text collate "C" not null,
  -- purl, group and version, the latter two unless the purl has them
  text text collate "C" not null,
  primary key (workspace_id, name, text)
);

create table component_hash (
  -- 64 bits of SHA-256 over workspace and digest
  search_key bigint not null,
  family_id uuid not null,
  number integer not null
);
create index component_hash_search on component_hash (search_key);

-- Up to which number the components of a family are in the tables above.
create table component_search (
  family_id uuid primary key,
  workspace_id uuid not null,
  next_number integer not null,
  foreign key (workspace_id, family_id) references family (workspace_id, id)
);

create table sbom_inventory (
  sbom_id uuid primary key,
  workspace_id uuid not null,
  -- `component_numbers` as ranges: what a few components are looked up in
  numbers int4multirange not null,
  -- [{ decidability, ecosystem, reason, components }]
  coverage jsonb not null,
  foreign key (workspace_id, sbom_id) references sbom (workspace_id, id) on delete cascade
);
