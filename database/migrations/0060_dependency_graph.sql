-- Which component depends on which, as the document states it (src/sbom/dependencies/stated-graph.ts); null: not read from the file
-- yet, which is so for what an earlier release stored. It is small and dense, so that compressing it gains nothing.
alter table sbom add column dependency_graph bytea;
alter table sbom alter column dependency_graph set storage external;
