-- The audit trail by what it is looked for: the newest of a workspace, of an actor, on an object; and what happened to the account of a
-- person, which belongs to no workspace.
create index audit_event_newest on audit_event (workspace_id, at, id);
drop index audit_event_workspace;
create index audit_event_actor on audit_event (workspace_id, actor_id, at, id) where actor_id is not null;
create index audit_event_object on audit_event (workspace_id, object_id, at, id);
create index audit_event_account on audit_event (object_id, at, id) where workspace_id is null;
