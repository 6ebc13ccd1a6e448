-- What the payment provider says of the subscription of a workspace, as it was fetched last.
create table billing_subscription (
  workspace_id uuid primary key references workspace (id),
  customer_id text not null,
  subscription_id text not null unique,
  status text not null,
  -- when the current period ends; the provider is asked again after it when no event came
  period_ends_at timestamptz,
  -- when the request was sent that this is the answer to
  fetched_at timestamptz not null
);

-- Events of the payment provider that were taken: each is sent until it is answered, and may be sent twice.
create table billing_event (
  id text primary key,
  type text not null,
  received_at timestamptz not null
);
create index billing_event_received on billing_event (received_at);
