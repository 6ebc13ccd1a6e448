-- A repository is covered only where a loaded record names it. null: data on its ecosystem decide about every package of it.
alter table component_identity
  add column is_named boolean;
