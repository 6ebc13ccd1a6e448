-- Incidents: what opened them, the clocks that run on them, who decided what, what was filed, and what was held back by a VEX document.

-- A workspace without a row has the defaults of the columns.
create table regime_settings (
  workspace_id uuid primary key references workspace (id),
  cra boolean not null default true,
  digitalsikkerhetsloven boolean not null default false,
  gdpr boolean not null default true,
  dora boolean not null default false,
  -- ISO 3166-1, two letters
  main_establishment text,
  -- by regime: whom to report to
  authorities jsonb not null default '{}'
);

-- The last number given in a year (UTC); numbers are never given twice.
create table incident_number (
  workspace_id uuid not null references workspace (id),
  year smallint not null,
  last integer not null,
  primary key (workspace_id, year)
);

create table incident (
  id uuid primary key,
  workspace_id uuid not null references workspace (id),
  reference text not null,
  kind text not null check (kind in ('vulnerability', 'severe_incident')),
  title text not null,
  -- the CVE, else the EUVD, GHSA or OSV id; as it was at opening
  vuln_key text,
  -- every other id of the vulnerability then
  aliases text[] not null,
  source text not null check (source in ('kev', 'euvd', 'manual', 'report')),
  -- catalogues that list it now; at opening at least the source
  listed_by text[] not null,
  severity text not null,
  is_exercise boolean not null,
  status text not null check (status in ('open', 'closed')),
  opened_at timestamptz not null,
  opened_by_kind text not null check (opened_by_kind in ('person', 'system')),
  opened_by uuid references person (id),
  opened_by_name text not null,
  aware_at timestamptz not null,
  occurred_at timestamptz,
  measure_available_at timestamptz,
  member_states text[] not null default '{}',
  assignee uuid references person (id),
  -- reports are counted again when it is reopened with new evidence
  cycle smallint not null default 1,
  -- the closed one about the same family and vulnerability
  follows uuid,
  users_informed jsonb,
  maintainer_informed jsonb,
  closed_at timestamptz,
  closed_by_name text,
  close_reason text,
  unique (workspace_id, id),
  unique (workspace_id, reference),
  foreign key (workspace_id, follows) references incident (workspace_id, id),
  check ((kind = 'vulnerability') or vuln_key is null),
  check ((status = 'closed') = (closed_at is not null))
);
create index incident_list on incident (workspace_id, status, opened_at desc, id);
create index incident_vuln_key on incident (workspace_id, vuln_key);

-- The families an incident is about. At most one open incident has a family and vulnerability.
create table incident_family (
  workspace_id uuid not null,
  incident_id uuid not null,
  family_id uuid not null,
  vuln_key text,
  is_open boolean not null,
  is_exercise boolean not null,
  primary key (incident_id, family_id),
  foreign key (workspace_id, incident_id) references incident (workspace_id, id),
  foreign key (workspace_id, family_id) references family (workspace_id, id)
);
create unique index incident_family_open on incident_family (workspace_id, family_id, vuln_key)
  where is_open and not is_exercise and vuln_key is not null;
create index incident_family_of on incident_family (workspace_id, family_id);

-- Versions and components of a family that an incident is about. They stay when the component is gone.
create table incident_affected (
  incident_id uuid not null,
  workspace_id uuid not null,
  family_id uuid not null,
  version_id uuid,
  -- as it was then; null: a product without version
  version text,
  identity_id uuid not null,
  group_id bigint not null,
  vuln_key text not null,
  component text not null,
  component_version text,
  purl text,
  -- the catalogues that listed it then
  listed_by text[] not null,
  added_at timestamptz not null,
  foreign key (workspace_id, incident_id) references incident (workspace_id, id)
);
create unique index incident_affected_subject on incident_affected (incident_id, family_id, version_id, identity_id) nulls not distinct;
create index incident_affected_key on incident_affected (workspace_id, family_id, vuln_key);

-- Exploited exact matches that the verdict of an uploaded document keeps from opening an incident.
create table suppressed_opening (
  id uuid primary key,
  workspace_id uuid not null,
  family_id uuid not null,
  version_id uuid,
  identity_id uuid not null,
  group_id bigint not null,
  vuln_key text not null,
  component text not null,
  component_version text,
  version text,
  document_id uuid not null,
  statement integer not null,
  verdict text not null,
  since timestamptz not null,
  -- when the verdict ended or the match was gone
  ended_at timestamptz,
  foreign key (workspace_id, family_id) references family (workspace_id, id)
);
create unique index suppressed_opening_subject on suppressed_opening (workspace_id, family_id, version_id, identity_id, vuln_key)
  nulls not distinct where ended_at is null;

create table incident_regime (
  workspace_id uuid not null,
  incident_id uuid not null,
  regime text not null check (regime in ('cra', 'digitalsikkerhetsloven', 'gdpr', 'dora')),
  is_active boolean not null,
  -- null: that of the incident
  aware_at timestamptz,
  -- as major (DORA)
  classified_at timestamptz,
  -- what ends its reports without a submission: a breach that is no risk to people
  waiver text check (waiver in ('no_risk')),
  -- why it is off or waived
  reason text,
  changed_at timestamptz not null,
  changed_by_name text not null,
  primary key (incident_id, regime),
  foreign key (workspace_id, incident_id) references incident (workspace_id, id)
);

create table regime_report (
  id uuid primary key,
  workspace_id uuid not null,
  incident_id uuid not null,
  regime text not null,
  report text not null check (report in ('early_warning', 'notification', 'initial_notification', 'intermediate_report', 'final_report')),
  cycle smallint not null,
  state text not null check (state in ('waiting', 'open', 'submitted', 'not_required')),
  due_at timestamptz,
  lead_hours smallint not null,
  -- why it is not required
  reason text,
  created_at timestamptz not null,
  -- of the first submission
  submitted_at timestamptz,
  -- when destinations were told that it is due soon
  warned_at timestamptz,
  -- when members were
  mailed_at timestamptz,
  -- when members were last told that it is overdue
  overdue_told_at timestamptz,
  unique (workspace_id, id),
  unique (incident_id, regime, report, cycle),
  foreign key (workspace_id, incident_id) references incident (workspace_id, id),
  check (state <> 'open' or due_at is not null)
);
-- what the pass over the deadlines looks through
create index regime_report_unwarned on regime_report (due_at) where state = 'open' and (warned_at is null or mailed_at is null);
create index regime_report_overdue on regime_report (due_at) where state = 'open';
create index regime_report_open on regime_report (workspace_id, due_at) where state = 'open';

create table report_draft (
  report_id uuid primary key references regime_report (id),
  workspace_id uuid not null,
  -- of the fields (contract/report-drafts.ts)
  fields_version text not null,
  field_values jsonb not null,
  revision integer not null,
  saved_at timestamptz not null,
  saved_by_name text not null,
  foreign key (workspace_id, report_id) references regime_report (workspace_id, id)
);

-- What was filed. Never changed; a correction is a row of its own.
create table submission (
  id uuid primary key,
  workspace_id uuid not null,
  incident_id uuid not null,
  report_id uuid not null,
  kind text not null check (kind in ('submission', 'update', 'amendment')),
  submitted_at timestamptz not null,
  -- after a typing error was corrected: what it was first
  first_submitted_at timestamptz,
  recorded_at timestamptz not null,
  recorded_by uuid references person (id),
  recorded_by_name text not null,
  channel text not null,
  authority text,
  external_reference text,
  -- the draft as it was
  draft jsonb,
  receipt bytea,
  receipt_name text,
  delay_reason text,
  -- a determination waited for approval then
  before_approval boolean not null,
  foreign key (workspace_id, incident_id) references incident (workspace_id, id),
  foreign key (workspace_id, report_id) references regime_report (workspace_id, id)
);
create index submission_incident on submission (workspace_id, incident_id, recorded_at);

create table determination (
  id uuid primary key,
  workspace_id uuid not null,
  incident_id uuid not null,
  scope text not null check (scope in ('cra', 'dora')),
  value text not null,
  state text not null check (state in ('pending', 'approved', 'rejected', 'withdrawn', 'superseded')),
  cycle smallint not null,
  reasoning text not null,
  evidence text[] not null,
  -- when it was classified as major (DORA)
  classified_at timestamptz,
  approvers integer not null,
  recorded_by uuid not null references person (id),
  recorded_by_name text not null,
  recorded_at timestamptz not null,
  decided_by uuid references person (id),
  decided_by_name text,
  decided_at timestamptz,
  comment text,
  -- approved by an owner without a second person
  self_approved boolean not null default false,
  foreign key (workspace_id, incident_id) references incident (workspace_id, id),
  check ((state in ('pending', 'superseded')) or decided_at is not null)
);
create unique index determination_pending on determination (incident_id, scope) where state = 'pending';
create index determination_incident on determination (workspace_id, incident_id, recorded_at);
create index determination_waiting on determination (workspace_id, recorded_at) where state = 'pending';

-- Changes of awareness, those that wait for a second person too.
create table awareness_change (
  id uuid primary key,
  workspace_id uuid not null,
  incident_id uuid not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  reason text not null,
  state text not null check (state in ('in_force', 'pending', 'approved', 'rejected', 'withdrawn')),
  recorded_by uuid not null references person (id),
  recorded_by_name text not null,
  recorded_at timestamptz not null,
  decided_by uuid references person (id),
  decided_by_name text,
  decided_at timestamptz,
  comment text,
  self_approved boolean not null default false,
  foreign key (workspace_id, incident_id) references incident (workspace_id, id)
);
create unique index awareness_change_pending on awareness_change (incident_id) where state = 'pending';
create index awareness_change_incident on awareness_change (workspace_id, incident_id, recorded_at);

-- What happened on an incident, in order. Never changed.
create table incident_entry (
  id bigint generated always as identity primary key,
  workspace_id uuid not null,
  incident_id uuid not null,
  at timestamptz not null,
  kind text not null,
  actor_kind text not null check (actor_kind in ('person', 'token', 'system')),
  actor_id uuid,
  actor_name text not null,
  data jsonb not null,
  foreign key (workspace_id, incident_id) references incident (workspace_id, id)
);
create index incident_entry_of on incident_entry (workspace_id, incident_id, at, id);
create trigger incident_entry_append_only before delete or update on incident_entry for each row execute function refuse_change();

-- What a CSIRT or anybody else asked for, with a day of its own.
create table incident_task (
  id uuid primary key,
  workspace_id uuid not null,
  incident_id uuid not null,
  title text not null,
  due_at timestamptz,
  created_at timestamptz not null,
  created_by_name text not null,
  done_at timestamptz,
  done_by_name text,
  foreign key (workspace_id, incident_id) references incident (workspace_id, id)
);
create index incident_task_of on incident_task (workspace_id, incident_id, created_at);

-- Possible matches of exploited vulnerabilities that a member has looked at and put aside.
create table dismissed_match (
  id uuid primary key,
  workspace_id uuid not null,
  family_id uuid not null,
  version_id uuid,
  identity_id uuid not null,
  group_id bigint not null,
  reason text not null,
  dismissed_at timestamptz not null,
  dismissed_by_name text not null,
  foreign key (workspace_id, family_id) references family (workspace_id, id)
);
create unique index dismissed_match_subject on dismissed_match (workspace_id, family_id, version_id, identity_id, group_id) nulls not distinct;

-- What is known already is looked at once, by the first worker.
insert into job (kind, key, workspace_id, payload, state, run_at, created_at, max_attempts)
select 'open_incidents', y.id::text, y.workspace_id, jsonb_build_object('workspaceId', y.workspace_id, 'familyId', y.id), 'waiting',
  now(), now(), 5
from family y
where y.deleted_at is null and exists (
  select from finding f
  where f.family_id = y.id and f.closed_at is null and f.exploited_by <> '{}' and f.grade = 'exact'
);
