-- The components of a workspace by name, for the search over all of its products.

create index component_name on component (workspace_id, lower(name) collate "C", family_id, number);
