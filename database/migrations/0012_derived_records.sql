-- What is derived from a record's document goes without a foreign key, as matches do: the check was half of what writing a range
-- or an assertion costs, and records are never deleted.
alter table affected_range drop constraint affected_range_vulnerability_id_fkey;
alter table alias_assertion drop constraint alias_assertion_vulnerability_id_fkey;
