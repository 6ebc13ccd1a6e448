-- Whether records on packages in one group state different severities: a finding then has that of the records that match its component.

alter table vulnerability_group add column is_disputed_severity boolean not null default false;

update vulnerability_group g
set is_disputed_severity = true
from (
  select group_id
  from vulnerability
  where withdrawn_at is null and severity <> 'unknown' and record_id !~ '^(NVD|CISA-VULNRICHMENT|EUVD|EUVD-DUMP):'
  group by group_id
  having count(distinct (severity, score)) > 1
) d
where g.id = d.group_id;
