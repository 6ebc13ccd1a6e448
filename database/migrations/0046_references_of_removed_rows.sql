-- Whoever removes a row looks for those that refer to it: without these, through the whole table for each row.
create index sbom_replaced on sbom (replaced_by) where replaced_by is not null;
create index verdict_decision_replaced on verdict_decision (replaced_by) where replaced_by is not null;
create index incident_follows on incident (workspace_id, follows) where follows is not null;
create index mail_link on mail (link_id) where link_id is not null;
