-- Since when a workspace has not been monitored because it was put on Free or closed; null: it is monitored, or its trial or subscription
-- ended by itself at a time that is known.
alter table workspace add column paused_from timestamptz;
