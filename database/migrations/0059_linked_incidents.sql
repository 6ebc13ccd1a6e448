-- Open incidents whose vulnerabilities turned out to be one; each pair once.
create table incident_link (
  workspace_id uuid not null,
  one uuid not null,
  other uuid not null,
  linked_at timestamptz not null,
  primary key (one, other),
  check (one < other),
  foreign key (workspace_id, one) references incident (workspace_id, id),
  foreign key (workspace_id, other) references incident (workspace_id, id)
);
create index incident_link_other on incident_link (other);
