-- How the last attempt at a source ended (null: none has, or one is under way), since when its attempts fail without a success between, and
-- since when its publisher says that it has no such part, as a mirror does of an ecosystem. A part that was loaded has a last success.
alter table data_source
  add column last_outcome text check (last_outcome in ('new_data', 'unchanged', 'error')),
  add column failing_since timestamptz,
  add column absent_since timestamptz;
update data_source set last_outcome = 'error', failing_since = coalesce(last_attempt_at, last_success_at) where last_error is not null;
update data_source set last_outcome = 'new_data' where last_error is null and last_success_at is not null;
