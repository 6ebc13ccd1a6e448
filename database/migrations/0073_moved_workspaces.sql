-- A workspace can move to another installation. Until it has, it is read-only (moving_at); then its pages lead there (moved_to).
alter table workspace add column moving_at timestamptz;
alter table workspace add column moved_to text;

-- What an event was called where it was recorded and chained, for one that came with a workspace: its digest is of that.
alter table audit_event add column original_id bigint;

-- Where the public addresses of a workspace lead. By its slug: they lead there after the workspace was deleted, too.
create table moved_address (
  slug text primary key,
  origin text not null,
  until timestamptz,
  set_at timestamptz not null
);
