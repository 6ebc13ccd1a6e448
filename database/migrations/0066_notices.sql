-- Notices of one CVE in one distribution are one vulnerability: what they are grouped by is no id that anybody gave.
alter table alias_assertion drop constraint alias_assertion_relation_check;
alter table alias_assertion
  add constraint alias_assertion_relation_check check (relation in ('self', 'alias', 'upstream', 'related', 'notice'));

-- The CVEs that the records of a group are about, with a space between; null where the group is a vulnerability itself.
alter table vulnerability_group add column cves text;
