-- Switching a regime off waits for a second person as a later time of awareness does. `regime`: the one that is to be switched off; both times of
-- the row are those of awareness then, which stays.
alter table awareness_change
  add column regime text check (regime in ('cra', 'digitalsikkerhetsloven', 'gdpr', 'dora'));
