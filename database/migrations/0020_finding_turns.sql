-- When findings were declared not affected or fixed, and when that ended: what the curve over time counts as open on a day. Written with the
-- verdict; nothing else tells of a verdict that is no longer in force, because statements and aliases of earlier days are not kept.
create table finding_turn (
  finding_id uuid not null,
  at timestamptz not null,
  is_settled boolean not null,
  family_id uuid not null,
  id bigint generated always as identity,
  primary key (finding_id, id)
);
create index finding_turn_family on finding_turn (family_id);

insert into finding_turn (finding_id, at, is_settled, family_id)
select id, verdict_since, true, family_id from finding where verdict in ('not_affected', 'fixed');
