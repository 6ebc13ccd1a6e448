-- by what is to be ready before a report is due: the day (2026-02-28) on which a member saw that it is
alter table regime_settings add column confirmed jsonb not null default '{}';
