-- By which rules a VEX document was read (`vexGeneration`): those in force that an earlier release read are read again. 0: before this was kept, and by
-- processes of the earlier release.
alter table vex_document add column reading_generation smallint not null default 0;
