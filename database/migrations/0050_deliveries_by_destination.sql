-- Deliveries that wait are found by walking from one destination to the next, those of one host beside each other: however many wait for one
-- receiver, they cost nothing to the others at its host.
drop index alert_delivery_waiting;
create index alert_delivery_waiting on alert_delivery (workspace_id, host, destination_id, created_at, id) where state = 'pending';
