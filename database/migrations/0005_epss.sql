-- How likely a CVE is exploited within 30 days, as FIRST publishes it every day. Joined when findings are read, through the
-- ids of their group, and never written into them: all rows change every day.

-- Half of each page stays free, so that rows are updated in place.
create table epss (
  cve_id text primary key collate "C",
  -- probability, 0 to 1
  score real not null,
  -- share of CVEs that are no likelier, 0 to 1
  percentile real not null
) with (fillfactor = 50);

-- EPSS: the day the stored scores are of
alter table data_source add column scored_on date;
