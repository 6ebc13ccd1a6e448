-- Thousands of workspaces use the same package and have the same vulnerability. What one of them asks must not read the rows of the others.
create index component_of_identity on component (identity_id, family_id);
create index finding_of_group on finding (group_id, workspace_id);
drop index component_identity_use;
drop index finding_group;
