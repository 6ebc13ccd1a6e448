-- Exported VEX documents: whoever keeps one knows by its id that a later export takes its place.
create table vex_export (
  workspace_id uuid not null,
  family_id uuid not null,
  -- null: the state of every version
  version_id uuid,
  format text not null check (format in ('openvex', 'csaf', 'cyclonedx')),
  -- of the document, the same in every export
  document_id uuid not null,
  exports integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  unique nulls not distinct (family_id, version_id, format),
  foreign key (workspace_id, family_id) references family (workspace_id, id),
  foreign key (family_id, version_id) references product_version (family_id, id)
);
