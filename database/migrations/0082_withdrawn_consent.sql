-- When whoever sent a report withdrew their consent to be named, behind their own link: only they can give it again. Null: they have not, or have agreed again.
-- Of what was withdrawn under an earlier release it is not known.
alter table inbox_report add column consent_withdrawn_at timestamptz;
