-- When `backup verify` last found a backup whole, and when that was made, for whoever watches that there is one. Of this installation alone: no part of a backup.
create table verified_backup (
  is_last boolean primary key default true check (is_last),
  verified_at timestamptz not null,
  backup_at timestamptz not null
);
