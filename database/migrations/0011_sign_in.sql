-- Sign-in that cannot be guessed in parallel, an audit trail that cannot be emptied, run links without credentials.

-- Attempts of the current window by what was tried and from where, counted before a password is judged.
drop table sign_in_failure;
create table sign_in_window (
  -- SHA-256 of an e-mail address, of a client's address, or of both
  subject bytea primary key,
  window_started_at timestamptz not null,
  -- judged or being judged; a success gives its own back
  attempts integer not null,
  -- on the row of a known e-mail address: whose failures these are, once the first is in the audit trail
  person_id uuid references person (id)
);
create index sign_in_window_started on sign_in_window (window_started_at);

-- where the person signed in from; null for sessions of earlier releases
alter table session add column address text;

create trigger audit_event_not_truncated before truncate on audit_event
  for each statement execute function refuse_change();

update sbom set run_url = regexp_replace(run_url, '^(https?://)[^/?#]*@', '\1', 'i')
  where run_url ~* '^https?://[^/?#]*@';
update sbom set run_url = null where run_url !~* '^https?://[^/?#\\:]';
