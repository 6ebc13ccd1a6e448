-- Files of sources with many that could not be had or read: the others are taken over, and these are asked for again.
create table unread_file (
  source text not null,
  file text not null,
  reason text not null,
  failures integer not null default 1,
  first_failed_at timestamptz not null,
  last_failed_at timestamptz not null,
  ask_again_at timestamptz not null,
  primary key (source, file)
);
