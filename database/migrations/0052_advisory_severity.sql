-- How grave an advisory calls itself as a whole, and the notes that a new one begins with. Versions published before say nothing of it.
alter table advisory_version add column severity text check (severity in ('critical', 'high', 'medium', 'low'));
alter table advisory_feed add column general_note text not null default '';
alter table advisory_feed add column legal_note text not null default '';
