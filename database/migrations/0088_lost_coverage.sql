-- Since when no record names an identity that was covered: told where a workspace had it, whatever else of its ecosystem is covered meanwhile.
alter table component_identity add column uncovered_at timestamptz;
create index component_identity_uncovered on component_identity (uncovered_at) where uncovered_at is not null;

-- How many of the components are of which release; null where a release of the program that does not know the column has counted.
alter table coverage_day add column releases jsonb;
