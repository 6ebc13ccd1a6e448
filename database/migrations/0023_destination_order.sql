-- Destinations added within one millisecond are listed in the order in which they were added, too.
alter table alert_destination add column number bigint generated always as identity;
