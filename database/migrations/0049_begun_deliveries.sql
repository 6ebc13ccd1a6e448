-- Attempts of a delivery that its receiver may have seen. A process that ends before it is connected has sent nothing, and what it held waits again
-- however often that happens. Of those under way at the upgrade nobody knows.
alter table alert_delivery add column begun smallint not null default 0;
update alert_delivery set begun = attempts where state = 'sending';
