-- The keys that browsers give the acts of members, and what these answered: an act whose answer was lost is sent again and not done again. Kept for a day.
create table act_key (
  workspace_id uuid not null references workspace (id),
  person_id uuid not null references person (id),
  key text not null,
  -- SHA-256 over the address and the body
  act bytea not null,
  answer json,
  at timestamptz not null,
  primary key (workspace_id, person_id, key)
);
create index act_key_at on act_key (at);
