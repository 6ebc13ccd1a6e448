-- The release that writes an event knows which ones there are, and its list grows.
alter table alert_delivery drop constraint alert_delivery_type_check;
