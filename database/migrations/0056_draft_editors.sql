-- Who has the draft of a report open: a row for each person, renewed while the page is shown. Nothing of it is kept once they are gone.
create table draft_editor (
  report_id uuid not null,
  workspace_id uuid not null,
  person_id uuid not null references person (id),
  name text not null,
  seen_at timestamptz not null,
  -- When they last typed; null: they only look at it.
  typed_at timestamptz,
  primary key (report_id, person_id),
  foreign key (workspace_id, report_id) references regime_report (workspace_id, id)
);
