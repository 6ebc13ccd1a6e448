-- When the command that writes a backup last finished, for whoever watches that there is one. Of this installation alone: no part of a backup.
create table finished_backup (
  is_last boolean primary key default true check (is_last),
  finished_at timestamptz not null,
  size_bytes bigint not null
);
