-- Deliveries that wait are found by walking from one workspace and host to the next: however many wait for one host, they cost nothing to
-- the others.
create index alert_delivery_waiting on alert_delivery (workspace_id, host, created_at, id) where state = 'pending';
drop index alert_delivery_pending;
