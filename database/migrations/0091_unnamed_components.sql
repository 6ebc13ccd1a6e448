-- Whether the timeline of an incident says that no record names the component any more. What had become of it before is no event of the upgrade.
alter table incident_affected add column noted_unnamed boolean not null default false;
update incident_affected a set noted_unnamed = true
from finding f
where f.family_id = a.family_id and f.version_id is not distinct from a.version_id and f.identity_id = a.identity_id and f.group_id = a.group_id
  and f.closed_at is not null and f.ended_by_data and not a.noted_gone;
