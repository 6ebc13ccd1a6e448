-- What the metrics of families need beside their findings: when each finding had its first verdict, and what was counted on each day.

-- of affected, not affected or fixed; null for what was decided under an earlier release, where the verdict in force and the turns tell
alter table finding add column first_verdict_at timestamptz;

-- Of a family on a day, by the calendar of the workspace's zone: counted once, when the day had begun.
create table family_day (
  family_id uuid not null,
  day date not null,
  workspace_id uuid not null references workspace (id),
  counted_at timestamptz not null,
  -- open findings that a catalogue lists, and those that any of them lists
  kev int not null,
  euvd int not null,
  exploited int not null,
  -- components of its active SBOMs
  covered bigint not null,
  components bigint not null,
  primary key (family_id, day)
);
create index family_day_workspace on family_day (workspace_id, day);
create index family_day_old on family_day (counted_at);

-- Up to which day the families of a workspace were counted. Whoever moves it on counts them in the same transaction.
create table family_day_turn (
  workspace_id uuid primary key references workspace (id),
  day date not null
);
