-- A family is of one workspace. Taken for independent, both conditions together would seem to find nothing among many workspaces, and
-- lists that are joined with what they find would be walked through once for each row. The next analyze fills these.
create statistics finding_tenant (dependencies) on workspace_id, family_id from finding;
create statistics component_tenant (dependencies) on workspace_id, family_id from component;
create statistics sbom_tenant (dependencies) on workspace_id, family_id from sbom;
