-- How many components of a workspace were in which state on a day, by ecosystem: what is no longer covered is told.
create table coverage_day (
  workspace_id uuid not null references workspace (id),
  day date not null,
  -- '' where a component has none
  ecosystem text not null,
  state text not null,
  components bigint not null,
  counted_at timestamptz not null,
  primary key (workspace_id, day, ecosystem, state)
);
create index coverage_day_old on coverage_day (counted_at);
