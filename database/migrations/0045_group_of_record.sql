-- The group of a record goes without a foreign key: checking it was a quarter of the work of writing new records. Records and groups are written
-- and removed under the import lock alone, and no group is removed while a record is in it.
alter table vulnerability drop constraint vulnerability_group_id_fkey;
