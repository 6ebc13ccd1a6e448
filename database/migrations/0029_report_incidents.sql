-- The reports of an incident, for its page.
create index inbox_report_incident_of on inbox_report_incident (workspace_id, incident_id);
alter table inbox_report_incident add foreign key (workspace_id, incident_id) references incident (workspace_id, id);
