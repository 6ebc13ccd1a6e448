-- A source counts only once all that its publisher has was taken over; what an operator loads by hand may be a part of it.

alter table data_source add column is_whole boolean not null default false;

-- catalogues are always whole; an ecosystem is whole once it was compared with its whole file, NVD once its years are loaded
update data_source d set is_whole = true
where d.last_success_at is not null and case
  when starts_with(d.name, 'osv:') then exists (
    select from data_source r where r.name = 'osv-reconcile:' || substr(d.name, 5) and r.last_success_at is not null)
  when d.name = 'nvd' then (
    select count(*) from data_source y where starts_with(y.name, 'nvd-year:') and y.last_success_at is not null) > 20
  else d.name not in ('nvd-overrides', 'vulnrichment')
end;
