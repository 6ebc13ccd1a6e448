-- What a financial entity says of itself in every report (Delegated Regulation (EU) 2025/301, Art. 1), by the field of the form.
alter table regime_settings add column dora_facts jsonb not null default '{}', add column dora_facts_changed_at timestamptz;
