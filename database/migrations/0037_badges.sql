-- A public badge of a family, for whom somebody switched it on; without a row there is none.
create table family_badge (
  family_id uuid primary key,
  workspace_id uuid not null,
  -- part of the public address, which nobody can guess
  secret text not null unique,
  created_at timestamptz not null,
  foreign key (workspace_id, family_id) references family (workspace_id, id)
);

-- Up to which week a member has had the weekly report. One row for each member; a report is made by whoever moves it on.
create table weekly_turn (
  workspace_id uuid not null,
  person_id uuid not null,
  -- the Monday, by the calendar of the member's zone
  week date not null,
  primary key (workspace_id, person_id),
  foreign key (workspace_id, person_id) references member (workspace_id, person_id)
);
