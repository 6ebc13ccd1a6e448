-- Entries of one act have one time: their order is that in which they were written.
alter table inbox_entry add column number bigint generated always as identity;
