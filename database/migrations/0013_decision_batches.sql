-- Decisions that a member recorded in one act are undone and revoked together.

alter table verdict_decision
  -- the act; null: it was recorded before acts had an id
  add column batch_id uuid;
create index verdict_decision_batch on verdict_decision (batch_id) where batch_id is not null;
