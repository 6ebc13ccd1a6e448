-- Findings are derived data and go without foreign keys, as matches do: the four checks were half of what a large version's findings cost.
-- Families, versions and identities are never deleted, and findings leave a group before it goes.
alter table finding
  drop constraint finding_workspace_id_family_id_fkey,
  drop constraint finding_family_id_version_id_fkey,
  drop constraint finding_identity_id_fkey,
  drop constraint finding_group_id_fkey;

-- Which components an SBOM has is kept before it is matched, how many of them can be judged beside that; until then it is null.
alter table sbom_inventory alter column coverage drop not null;
