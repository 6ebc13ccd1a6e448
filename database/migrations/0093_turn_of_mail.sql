-- What somebody waits for in front of a screen is sent before what is told, and that before what sums up: one server takes few messages at a time, and
-- digests of all members are due together. 1: also what processes of the earlier release write.
alter table mail add column turn smallint not null default 1;
create index mail_in_turn on mail (turn, due_at, id) where state = 'waiting';
update mail set turn = case when kind like 'letter.%' then 0 else 2 end
where state = 'waiting' and (kind like 'letter.%' or kind in ('digest', 'weekly.report'));
