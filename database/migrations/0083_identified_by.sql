-- By which rules the components of an SBOM were identified (`identityGeneration`): active ones of an earlier release are identified again. 0: before this was kept.
alter table sbom add column identity_generation smallint not null default 0;
