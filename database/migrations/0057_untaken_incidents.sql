-- Since when an incident is given to nobody, where that is not since its opening, and how often members were reminded of it. Those that are open
-- already are shown as they are and told of no more.
alter table incident
  add column untaken_since timestamptz,
  add column untaken_told smallint not null default 0;
update incident set untaken_told = 3;
create index incident_untaken on incident (opened_at) where status = 'open' and assignee is null and not is_exercise;
