-- Alert destinations, what is sent to them, and the key that seals what must not be read from the database.

-- One value sealed with the key that writes: whoever cannot open it has other keys than this database was written with.
create table sealing_canary (
  id boolean primary key default true check (id),
  envelope bytea not null,
  sealed_at timestamptz not null
);

create table alert_destination (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  kind text not null check (kind in ('chat_a', 'chat_b', 'webhook')),
  name text not null,
  -- of the URL; the URL itself is sealed
  host text not null,
  url_sealed bytea,
  -- only of webhooks
  secret_sealed bytea,
  events text[] not null,
  enabled boolean not null,
  created_at timestamptz not null,
  added_by_kind text not null check (added_by_kind in ('person', 'token', 'system')),
  -- as it was then
  added_by_name text not null,
  last_delivery_at timestamptz,
  last_error text,
  -- its URL and secret are forgotten then; what was delivered stays
  removed_at timestamptz,
  unique (workspace_id, id),
  check ((removed_at is null) = (url_sealed is not null))
);
create index alert_destination_workspace on alert_destination (workspace_id, created_at, id) where removed_at is null;

-- One event for one destination. The id is the one that receivers see, without its prefix.
create table alert_delivery (
  id uuid primary key,
  workspace_id uuid not null,
  destination_id uuid not null,
  -- of what happened: the same for every destination
  event_id uuid not null,
  type text not null check (type in ('incident.opened', 'deadline.warning', 'approval.requested', 'report.received', 'test')),
  -- what happened (contract/events.ts)
  fact jsonb not null,
  host text not null,
  state text not null check (state in ('pending', 'sending', 'sent', 'failed', 'not_sent')),
  created_at timestamptz not null,
  -- times it was begun: a process that dies while it sends leaves one behind
  attempts smallint not null default 0,
  leased_by text,
  -- real time
  leased_until timestamptz,
  -- as signed
  sent_at timestamptz,
  duration_ms integer,
  status smallint,
  -- why it failed or was not sent
  reason text,
  unique (destination_id, event_id),
  foreign key (workspace_id, destination_id) references alert_destination (workspace_id, id)
);
create index alert_delivery_pending on alert_delivery (created_at, id) where state = 'pending';
create index alert_delivery_sending on alert_delivery (leased_until) where state = 'sending';
create index alert_delivery_history on alert_delivery (destination_id, created_at desc, id desc);
create index alert_delivery_problems on alert_delivery (workspace_id, created_at desc, id desc) where state = 'failed';
