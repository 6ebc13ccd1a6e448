-- Whether the publisher of a distribution writes no more records on a release: what is known then stays, and covers nothing of it.
alter table known_release add column has_ended boolean not null default false;
