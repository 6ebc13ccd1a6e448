-- Whether a closed finding ended because what is known of the vulnerability changed (its record was withdrawn or corrected) while the product still had
-- the component: nothing was fixed then. Of findings that an earlier release closed it is not known, and they count as they did.
alter table finding add column ended_by_data boolean not null default false;
