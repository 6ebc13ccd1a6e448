-- An operator suspends a workspace and lifts that again, and bounds what it may hold.
alter table workspace
  add column suspended_at timestamptz,
  add column most_families integer,
  add column most_sboms integer,
  add column most_bytes bigint,
  add check (most_families >= 0 and most_sboms >= 0 and most_bytes >= 0);

-- What is removed 90 days after it was made is found without reading every delivery.
create index alert_delivery_ended on alert_delivery (created_at) where state in ('sent', 'failed', 'not_sent');
