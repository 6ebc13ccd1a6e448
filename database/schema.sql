-- The current schema, by name. Generated from the migrated database, never edited by hand:
-- add a migration and run `node src/schema/write-schema.ts`.

CREATE OR REPLACE FUNCTION public.note_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into audit_due (chain, event_id)
  select coalesce(workspace_id, '00000000-0000-0000-0000-000000000000'), id from added;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    -- the chain of a workspace's audit trail has its id
    if coalesce(to_jsonb(old) ->> 'workspace_id', to_jsonb(old) ->> 'chain') = current_setting('service.deleted_workspace', true) then
      return old;
    end if;
  end if;
  raise exception '% is append-only', tg_table_name;
end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_frozen_slug()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if old.id::text = current_setting('service.deleted_workspace', true) then
    return new;
  end if;
  raise exception 'the slug of workspace % is in published advisories', old.id;
end
$function$;

CREATE OR REPLACE FUNCTION public.release_original()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from original_object
  where workspace_id = old.workspace_id and id = old.object_id and state = 'lost' and sealed_bytes = 0;
  update original_object
  set state = 'erasing', erase_from = case when tg_op = 'DELETE' then now() else now() + interval '1 hour' end
  where workspace_id = old.workspace_id and id = old.object_id;
  return null;
end
$function$;

CREATE TABLE acknowledgment (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  report_id uuid,
  name text NOT NULL,
  link text,
  day date NOT NULL,
  CONSTRAINT acknowledgment_pkey PRIMARY KEY (id),
  CONSTRAINT acknowledgment_report_id_key UNIQUE (report_id),
  CONSTRAINT acknowledgment_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id),
  CONSTRAINT acknowledgment_workspace_id_report_id_fkey FOREIGN KEY (workspace_id, report_id) REFERENCES inbox_report(workspace_id, id)
);
CREATE INDEX acknowledgment_workspace ON acknowledgment USING btree (workspace_id, day DESC, id DESC);

CREATE TABLE act_key (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  key text NOT NULL,
  act bytea NOT NULL,
  answer json,
  at timestamp with time zone NOT NULL,
  CONSTRAINT act_key_pkey PRIMARY KEY (workspace_id, person_id, key),
  CONSTRAINT act_key_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT act_key_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);
CREATE INDEX act_key_at ON act_key USING btree (at);

CREATE TABLE advisory (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  tracking_id text NOT NULL,
  file_name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  created_by_name text NOT NULL,
  last_revision integer NOT NULL,
  current_ordinal integer,
  year integer,
  first_released_at timestamp with time zone,
  CONSTRAINT advisory_pkey PRIMARY KEY (id),
  CONSTRAINT advisory_workspace_id_file_name_key UNIQUE (workspace_id, file_name),
  CONSTRAINT advisory_workspace_id_id_key UNIQUE (workspace_id, id),
  CONSTRAINT advisory_id_current_ordinal_fkey FOREIGN KEY (id, current_ordinal) REFERENCES advisory_version(advisory_id, ordinal),
  CONSTRAINT advisory_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id),
  CONSTRAINT advisory_check CHECK ((current_ordinal IS NULL) = (first_released_at IS NULL)),
  CONSTRAINT advisory_check1 CHECK ((current_ordinal IS NULL) = (year IS NULL))
);
CREATE INDEX advisory_workspace ON advisory USING btree (workspace_id, created_at DESC, id DESC);

CREATE TABLE advisory_draft (
  advisory_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  revision integer NOT NULL,
  state text NOT NULL,
  content jsonb NOT NULL,
  edited_at timestamp with time zone NOT NULL,
  edited_by uuid,
  edited_by_name text NOT NULL,
  CONSTRAINT advisory_draft_pkey PRIMARY KEY (advisory_id),
  CONSTRAINT advisory_draft_workspace_id_advisory_id_fkey FOREIGN KEY (workspace_id, advisory_id) REFERENCES advisory(workspace_id, id),
  CONSTRAINT advisory_draft_state_check CHECK (state = ANY (ARRAY['draft'::text, 'in_review'::text, 'approved'::text]))
);

CREATE TABLE advisory_feed (
  workspace_id uuid NOT NULL,
  tracking_prefix text,
  second_person_publishes boolean NOT NULL DEFAULT false,
  generation bigint NOT NULL DEFAULT 0,
  last_released_at timestamp with time zone,
  last_white_at timestamp with time zone,
  general_note text NOT NULL DEFAULT ''::text,
  legal_note text NOT NULL DEFAULT ''::text,
  CONSTRAINT advisory_feed_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT advisory_feed_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);

CREATE TABLE advisory_link (
  workspace_id uuid NOT NULL,
  advisory_id uuid NOT NULL,
  kind text NOT NULL,
  object_id uuid NOT NULL,
  linked_at timestamp with time zone NOT NULL,
  linked_by_name text NOT NULL,
  CONSTRAINT advisory_link_pkey PRIMARY KEY (workspace_id, advisory_id, kind, object_id),
  CONSTRAINT advisory_link_workspace_id_advisory_id_fkey FOREIGN KEY (workspace_id, advisory_id) REFERENCES advisory(workspace_id, id),
  CONSTRAINT advisory_link_kind_check CHECK (kind = ANY (ARRAY['incident'::text, 'inbox_report'::text]))
);
CREATE INDEX advisory_link_object ON advisory_link USING btree (workspace_id, kind, object_id);

CREATE TABLE advisory_number (
  workspace_id uuid NOT NULL,
  year integer NOT NULL,
  last integer NOT NULL,
  CONSTRAINT advisory_number_pkey PRIMARY KEY (workspace_id, year),
  CONSTRAINT advisory_number_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);

CREATE TABLE advisory_version (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  advisory_id uuid NOT NULL,
  ordinal integer NOT NULL,
  number text NOT NULL,
  kind text NOT NULL,
  tlp text NOT NULL,
  title text NOT NULL,
  summary text NOT NULL,
  released_at timestamp with time zone NOT NULL,
  published_by uuid,
  published_by_name text NOT NULL,
  publisher_name text NOT NULL,
  publisher_contact text NOT NULL,
  namespace text NOT NULL,
  content jsonb NOT NULL,
  bytes bytea NOT NULL,
  sha256 text NOT NULL,
  sha512 text NOT NULL,
  severity text,
  CONSTRAINT advisory_version_pkey PRIMARY KEY (id),
  CONSTRAINT advisory_version_advisory_id_number_key UNIQUE (advisory_id, number),
  CONSTRAINT advisory_version_advisory_id_ordinal_key UNIQUE (advisory_id, ordinal),
  CONSTRAINT advisory_version_workspace_id_advisory_id_fkey FOREIGN KEY (workspace_id, advisory_id) REFERENCES advisory(workspace_id, id),
  CONSTRAINT advisory_version_kind_check CHECK (kind = ANY (ARRAY['first'::text, 'update'::text, 'correction'::text])),
  CONSTRAINT advisory_version_severity_check CHECK (severity = ANY (ARRAY['critical'::text, 'high'::text, 'medium'::text, 'low'::text])),
  CONSTRAINT advisory_version_tlp_check CHECK (tlp = ANY (ARRAY['WHITE'::text, 'GREEN'::text, 'AMBER'::text, 'RED'::text]))
);
CREATE INDEX advisory_version_workspace ON advisory_version USING btree (workspace_id, released_at);
CREATE TRIGGER advisory_version_append_only BEFORE DELETE OR UPDATE ON advisory_version FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE affected_range (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  vulnerability_id bigint NOT NULL,
  package_key text COLLATE "C" NOT NULL,
  release text COLLATE "C" NOT NULL,
  stream text NOT NULL,
  scheme text NOT NULL,
  lower_key bytea,
  upper_key bytea,
  upper_included boolean NOT NULL,
  kind text NOT NULL,
  introduced text NOT NULL,
  upper_text text,
  doubt text,
  CONSTRAINT affected_range_pkey PRIMARY KEY (id),
  CONSTRAINT affected_range_kind_check CHECK (kind = ANY (ARRAY['range'::text, 'listed'::text]))
);
CREATE INDEX affected_range_package ON affected_range USING btree (package_key, release);
CREATE INDEX affected_range_vulnerability ON affected_range USING btree (vulnerability_id);

CREATE TABLE alert_delivery (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  destination_id uuid NOT NULL,
  event_id uuid NOT NULL,
  type text NOT NULL,
  fact jsonb NOT NULL,
  host text NOT NULL,
  state text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  leased_by text,
  leased_until timestamp with time zone,
  sent_at timestamp with time zone,
  duration_ms integer,
  status smallint,
  reason text,
  begun smallint NOT NULL DEFAULT 0,
  CONSTRAINT alert_delivery_pkey PRIMARY KEY (id),
  CONSTRAINT alert_delivery_destination_id_event_id_key UNIQUE (destination_id, event_id),
  CONSTRAINT alert_delivery_workspace_id_destination_id_fkey FOREIGN KEY (workspace_id, destination_id) REFERENCES alert_destination(workspace_id, id),
  CONSTRAINT alert_delivery_state_check CHECK (state = ANY (ARRAY['pending'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'not_sent'::text]))
);
CREATE INDEX alert_delivery_ended ON alert_delivery USING btree (created_at) WHERE state = ANY (ARRAY['sent'::text, 'failed'::text, 'not_sent'::text]);
CREATE INDEX alert_delivery_history ON alert_delivery USING btree (destination_id, created_at DESC, id DESC);
CREATE INDEX alert_delivery_problems ON alert_delivery USING btree (workspace_id, created_at DESC, id DESC) WHERE state = 'failed'::text;
CREATE INDEX alert_delivery_sending ON alert_delivery USING btree (leased_until) WHERE state = 'sending'::text;
CREATE INDEX alert_delivery_waiting ON alert_delivery USING btree (workspace_id, host, destination_id, created_at, id) WHERE state = 'pending'::text;

CREATE TABLE alert_destination (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  host text NOT NULL,
  url_sealed bytea,
  secret_sealed bytea,
  events text[] NOT NULL,
  enabled boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  added_by_kind text NOT NULL,
  added_by_name text NOT NULL,
  last_delivery_at timestamp with time zone,
  last_error text,
  removed_at timestamp with time zone,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT alert_destination_pkey PRIMARY KEY (id),
  CONSTRAINT alert_destination_workspace_id_id_key UNIQUE (workspace_id, id),
  CONSTRAINT alert_destination_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id),
  CONSTRAINT alert_destination_added_by_kind_check CHECK (added_by_kind = ANY (ARRAY['person'::text, 'token'::text, 'system'::text])),
  CONSTRAINT alert_destination_check CHECK ((removed_at IS NULL) = (url_sealed IS NOT NULL)),
  CONSTRAINT alert_destination_kind_check CHECK (kind = ANY (ARRAY['chat_a'::text, 'chat_b'::text, 'webhook'::text]))
);
CREATE INDEX alert_destination_workspace ON alert_destination USING btree (workspace_id, created_at, id) WHERE removed_at IS NULL;

CREATE TABLE alias_assertion (
  vulnerability_id bigint NOT NULL,
  other_id text NOT NULL,
  relation text NOT NULL,
  bridges boolean NOT NULL,
  CONSTRAINT alias_assertion_pkey PRIMARY KEY (vulnerability_id, relation, other_id),
  CONSTRAINT alias_assertion_relation_check CHECK (relation = ANY (ARRAY['self'::text, 'alias'::text, 'upstream'::text, 'related'::text, 'notice'::text]))
);
CREATE INDEX alias_assertion_other ON alias_assertion USING btree (other_id, bridges);

CREATE TABLE audit_chain (
  chain uuid NOT NULL,
  "position" bigint NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_chain_pkey PRIMARY KEY (chain)
);

CREATE TABLE audit_due (
  chain uuid NOT NULL,
  event_id bigint NOT NULL,
  CONSTRAINT audit_due_pkey PRIMARY KEY (chain, event_id)
);

CREATE TABLE audit_event (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  workspace_id uuid,
  at timestamp with time zone NOT NULL,
  actor_kind text NOT NULL,
  actor_id uuid,
  actor_name text NOT NULL,
  action text NOT NULL,
  object_kind text NOT NULL,
  object_id text NOT NULL,
  object_name text,
  before jsonb,
  after jsonb,
  request_id text,
  address text,
  original_id bigint,
  CONSTRAINT audit_event_pkey PRIMARY KEY (id),
  CONSTRAINT audit_event_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id),
  CONSTRAINT audit_event_actor_kind_check CHECK (actor_kind = ANY (ARRAY['person'::text, 'token'::text, 'system'::text]))
);
CREATE INDEX audit_event_account ON audit_event USING btree (object_id, at, id) WHERE workspace_id IS NULL;
CREATE INDEX audit_event_actor ON audit_event USING btree (workspace_id, actor_id, at, id) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_event_newest ON audit_event USING btree (workspace_id, at, id);
CREATE INDEX audit_event_object ON audit_event USING btree (workspace_id, object_id, at, id);
CREATE INDEX audit_event_signed_in ON audit_event USING btree (object_id) WHERE action = 'person.signed_in'::text;
CREATE TRIGGER audit_event_append_only BEFORE DELETE OR UPDATE ON audit_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_event_due AFTER INSERT ON audit_event REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_due();
CREATE TRIGGER audit_event_not_truncated BEFORE TRUNCATE ON audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE audit_link (
  chain uuid NOT NULL,
  "position" bigint NOT NULL,
  event_id bigint NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_link_pkey PRIMARY KEY (chain, "position"),
  CONSTRAINT audit_link_event_id_key UNIQUE (event_id)
);
CREATE TRIGGER audit_link_append_only BEFORE DELETE OR UPDATE ON audit_link FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_link_not_truncated BEFORE TRUNCATE ON audit_link FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE authenticator (
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  secret_sealed bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  confirmed_at timestamp with time zone,
  last_step bigint NOT NULL DEFAULT 0,
  CONSTRAINT authenticator_pkey PRIMARY KEY (id),
  CONSTRAINT authenticator_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);
CREATE UNIQUE INDEX authenticator_confirmed ON authenticator USING btree (person_id) WHERE confirmed_at IS NOT NULL;
CREATE UNIQUE INDEX authenticator_pending ON authenticator USING btree (person_id) WHERE confirmed_at IS NULL;

CREATE TABLE awareness_change (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  from_at timestamp with time zone NOT NULL,
  to_at timestamp with time zone NOT NULL,
  reason text NOT NULL,
  state text NOT NULL,
  recorded_by uuid NOT NULL,
  recorded_by_name text NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  decided_by uuid,
  decided_by_name text,
  decided_at timestamp with time zone,
  comment text,
  self_approved boolean NOT NULL DEFAULT false,
  regime text,
  CONSTRAINT awareness_change_pkey PRIMARY KEY (id),
  CONSTRAINT awareness_change_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES person(id),
  CONSTRAINT awareness_change_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES person(id),
  CONSTRAINT awareness_change_workspace_id_incident_id_fkey FOREIGN KEY (workspace_id, incident_id) REFERENCES incident(workspace_id, id),
  CONSTRAINT awareness_change_regime_check CHECK (regime = ANY (ARRAY['cra'::text, 'digitalsikkerhetsloven'::text, 'gdpr'::text, 'dora'::text])),
  CONSTRAINT awareness_change_state_check CHECK (state = ANY (ARRAY['in_force'::text, 'pending'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text, 'superseded'::text]))
);
CREATE INDEX awareness_change_incident ON awareness_change USING btree (workspace_id, incident_id, recorded_at);
CREATE UNIQUE INDEX awareness_change_pending ON awareness_change USING btree (incident_id) WHERE state = 'pending'::text;

CREATE TABLE bell_entry (
  id uuid NOT NULL,
  workspace_id uuid,
  person_id uuid NOT NULL,
  event_id uuid NOT NULL,
  kind text NOT NULL,
  fact jsonb NOT NULL,
  is_named boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  read_at timestamp with time zone,
  digested_at timestamp with time zone,
  CONSTRAINT bell_entry_pkey PRIMARY KEY (id),
  CONSTRAINT bell_entry_event_id_person_id_key UNIQUE (event_id, person_id),
  CONSTRAINT bell_entry_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT bell_entry_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);
CREATE INDEX bell_entry_person ON bell_entry USING btree (person_id, created_at DESC, id DESC);
CREATE INDEX bell_entry_read ON bell_entry USING btree (read_at) WHERE read_at IS NOT NULL;
CREATE INDEX bell_entry_undigested ON bell_entry USING btree (workspace_id, person_id) WHERE digested_at IS NULL;
CREATE INDEX bell_entry_unread ON bell_entry USING btree (created_at) WHERE read_at IS NULL;

CREATE TABLE billing_event (
  id text NOT NULL,
  type text NOT NULL,
  received_at timestamp with time zone NOT NULL,
  CONSTRAINT billing_event_pkey PRIMARY KEY (id)
);
CREATE INDEX billing_event_received ON billing_event USING btree (received_at);

CREATE TABLE billing_subscription (
  workspace_id uuid NOT NULL,
  customer_id text NOT NULL,
  subscription_id text NOT NULL,
  status text NOT NULL,
  period_ends_at timestamp with time zone,
  fetched_at timestamp with time zone NOT NULL,
  CONSTRAINT billing_subscription_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT billing_subscription_subscription_id_key UNIQUE (subscription_id),
  CONSTRAINT billing_subscription_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);

CREATE TABLE binary_source (
  package_key text NOT NULL,
  release text NOT NULL,
  source_key text NOT NULL,
  CONSTRAINT binary_source_pkey PRIMARY KEY (package_key, release, source_key)
);

CREATE TABLE company_link (
  workspace_id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  person_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT company_link_pkey PRIMARY KEY (workspace_id, issuer, subject),
  CONSTRAINT company_link_workspace_id_issuer_person_id_key UNIQUE (workspace_id, issuer, person_id),
  CONSTRAINT company_link_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT company_link_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);

CREATE TABLE company_sign_in (
  secret_hash bytea NOT NULL,
  workspace_id uuid NOT NULL,
  session_id uuid,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT company_sign_in_pkey PRIMARY KEY (secret_hash),
  CONSTRAINT company_sign_in_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);
CREATE INDEX company_sign_in_created ON company_sign_in USING btree (created_at);

CREATE TABLE component (
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  number integer NOT NULL,
  hash uuid NOT NULL,
  identity_id uuid NOT NULL,
  type text,
  group_name text,
  name text NOT NULL,
  version text,
  purl text,
  cpe text,
  licence text,
  supplier text,
  hashes text[] NOT NULL,
  scope text,
  resolves text[],
  other_names text[],
  concluded_cpes text[],
  CONSTRAINT component_pkey PRIMARY KEY (family_id, number),
  CONSTRAINT component_family_id_hash_key UNIQUE (family_id, hash),
  CONSTRAINT component_scope_check CHECK (scope = ANY (ARRAY['required'::text, 'optional'::text, 'excluded'::text]))
);
CREATE INDEX component_of_identity ON component USING btree (identity_id, family_id);
CREATE STATISTICS component_tenant (dependencies) ON workspace_id, family_id FROM component;

CREATE TABLE component_hash (
  search_key bigint NOT NULL,
  family_id uuid NOT NULL,
  number integer NOT NULL
);
CREATE INDEX component_hash_search ON component_hash USING btree (search_key);

CREATE TABLE component_identity (
  id uuid NOT NULL,
  ecosystem text,
  package_key text COLLATE "C",
  subject text NOT NULL,
  version text NOT NULL,
  release text COLLATE "C",
  stream text NOT NULL,
  scheme text,
  version_key bytea,
  key_generation integer NOT NULL,
  decidability text NOT NULL,
  reason text,
  basis text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  matched_at timestamp with time zone,
  is_named boolean,
  other_ecosystems text[],
  uncovered_at timestamp with time zone,
  CONSTRAINT component_identity_pkey PRIMARY KEY (id),
  CONSTRAINT component_identity_basis_check CHECK (basis = ANY (ARRAY['purl'::text, 'foreign_purl'::text, 'cpe'::text, 'guessed_cpe'::text, 'name'::text])),
  CONSTRAINT component_identity_decidability_check CHECK (decidability = ANY (ARRAY['covered'::text, 'not_covered'::text, 'no_version'::text, 'uncomparable'::text, 'release_unknown'::text]))
) WITH (fillfactor=80);
CREATE INDEX component_identity_package ON component_identity USING btree (package_key);
CREATE INDEX component_identity_uncovered ON component_identity USING btree (uncovered_at) WHERE uncovered_at IS NOT NULL;

CREATE TABLE component_name (
  workspace_id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  family_id uuid NOT NULL,
  number integer NOT NULL,
  CONSTRAINT component_name_pkey PRIMARY KEY (workspace_id, name, family_id, number)
);

CREATE TABLE component_search (
  family_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  next_number integer NOT NULL,
  CONSTRAINT component_search_pkey PRIMARY KEY (family_id),
  CONSTRAINT component_search_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id)
);

CREATE TABLE component_text (
  workspace_id uuid NOT NULL,
  name text COLLATE "C" NOT NULL,
  text text COLLATE "C" NOT NULL,
  CONSTRAINT component_text_pkey PRIMARY KEY (workspace_id, name, text)
);

CREATE TABLE connector_refusal (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  times integer NOT NULL DEFAULT 1,
  error text NOT NULL,
  detail text,
  notification_group text,
  project_name text,
  project_version text,
  size_bytes integer,
  token_id uuid NOT NULL,
  token_name text NOT NULL,
  resolved_at timestamp with time zone,
  CONSTRAINT connector_refusal_pkey PRIMARY KEY (id),
  CONSTRAINT connector_refusal_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id),
  CONSTRAINT connector_refusal_workspace_id_token_id_fkey FOREIGN KEY (workspace_id, token_id) REFERENCES token(workspace_id, id)
);
CREATE INDEX connector_refusal_family ON connector_refusal USING btree (family_id, at DESC, id DESC);
CREATE INDEX connector_refusal_unresolved ON connector_refusal USING btree (workspace_id, family_id) WHERE resolved_at IS NULL;

CREATE TABLE connector_test (
  family_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  notification_group text NOT NULL,
  token_name text NOT NULL,
  CONSTRAINT connector_test_pkey PRIMARY KEY (family_id),
  CONSTRAINT connector_test_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id)
);

CREATE TABLE coverage_day (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  ecosystem text NOT NULL,
  state text NOT NULL,
  components bigint NOT NULL,
  counted_at timestamp with time zone NOT NULL,
  releases jsonb,
  CONSTRAINT coverage_day_pkey PRIMARY KEY (workspace_id, day, ecosystem, state),
  CONSTRAINT coverage_day_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);
CREATE INDEX coverage_day_old ON coverage_day USING btree (counted_at);

CREATE TABLE data_source (
  name text NOT NULL,
  address text,
  last_attempt_at timestamp with time zone,
  last_success_at timestamp with time zone,
  last_error text,
  record_count integer NOT NULL DEFAULT 0,
  watermark timestamp with time zone,
  content_hash text,
  scored_on date,
  is_whole boolean NOT NULL DEFAULT false,
  last_outcome text,
  failing_since timestamp with time zone,
  absent_since timestamp with time zone,
  reader_generation smallint NOT NULL DEFAULT 0,
  CONSTRAINT data_source_pkey PRIMARY KEY (name),
  CONSTRAINT data_source_last_outcome_check CHECK (last_outcome = ANY (ARRAY['new_data'::text, 'unchanged'::text, 'error'::text]))
);

CREATE TABLE determination (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  scope text NOT NULL,
  value text NOT NULL,
  state text NOT NULL,
  cycle smallint NOT NULL,
  reasoning text NOT NULL,
  evidence text[] NOT NULL,
  classified_at timestamp with time zone,
  approvers integer NOT NULL,
  recorded_by uuid NOT NULL,
  recorded_by_name text NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  decided_by uuid,
  decided_by_name text,
  decided_at timestamp with time zone,
  comment text,
  self_approved boolean NOT NULL DEFAULT false,
  CONSTRAINT determination_pkey PRIMARY KEY (id),
  CONSTRAINT determination_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES person(id),
  CONSTRAINT determination_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES person(id),
  CONSTRAINT determination_workspace_id_incident_id_fkey FOREIGN KEY (workspace_id, incident_id) REFERENCES incident(workspace_id, id),
  CONSTRAINT determination_check CHECK ((state = ANY (ARRAY['pending'::text, 'superseded'::text])) OR decided_at IS NOT NULL),
  CONSTRAINT determination_scope_check CHECK (scope = ANY (ARRAY['cra'::text, 'dora'::text])),
  CONSTRAINT determination_state_check CHECK (state = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'withdrawn'::text, 'superseded'::text]))
);
CREATE INDEX determination_incident ON determination USING btree (workspace_id, incident_id, recorded_at);
CREATE UNIQUE INDEX determination_pending ON determination USING btree (incident_id, scope) WHERE state = 'pending'::text;
CREATE INDEX determination_waiting ON determination USING btree (workspace_id, recorded_at) WHERE state = 'pending'::text;

CREATE TABLE digest_turn (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  day date NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT digest_turn_pkey PRIMARY KEY (workspace_id, person_id),
  CONSTRAINT digest_turn_workspace_id_person_id_fkey FOREIGN KEY (workspace_id, person_id) REFERENCES member(workspace_id, person_id)
);

CREATE TABLE disclosure_settings (
  workspace_id uuid NOT NULL,
  public_contact_email text,
  canonical_url text,
  acknowledge_days integer,
  policy text,
  encryption_url text,
  languages text[] NOT NULL DEFAULT '{en,nb,de}'::text[],
  embargo_days smallint NOT NULL DEFAULT 90,
  CONSTRAINT disclosure_settings_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT disclosure_settings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);

CREATE TABLE disclosure_window (
  subject bytea NOT NULL,
  window_started_at timestamp with time zone NOT NULL,
  hits integer NOT NULL,
  CONSTRAINT disclosure_window_pkey PRIMARY KEY (subject)
);
CREATE INDEX disclosure_window_started ON disclosure_window USING btree (window_started_at);

CREATE TABLE dismissed_match (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  version_id uuid,
  identity_id uuid NOT NULL,
  group_id bigint NOT NULL,
  reason text NOT NULL,
  dismissed_at timestamp with time zone NOT NULL,
  dismissed_by_name text NOT NULL,
  CONSTRAINT dismissed_match_pkey PRIMARY KEY (id),
  CONSTRAINT dismissed_match_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id)
);
CREATE UNIQUE INDEX dismissed_match_subject ON dismissed_match USING btree (workspace_id, family_id, version_id, identity_id, group_id) NULLS NOT DISTINCT;

CREATE TABLE draft_editor (
  report_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  name text NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  typed_at timestamp with time zone,
  CONSTRAINT draft_editor_pkey PRIMARY KEY (report_id, person_id),
  CONSTRAINT draft_editor_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT draft_editor_workspace_id_report_id_fkey FOREIGN KEY (workspace_id, report_id) REFERENCES regime_report(workspace_id, id)
);

CREATE TABLE epss (
  cve_id text COLLATE "C" NOT NULL,
  score real NOT NULL,
  percentile real NOT NULL,
  CONSTRAINT epss_pkey PRIMARY KEY (cve_id)
) WITH (fillfactor=50);

CREATE TABLE euvd_mapping (
  euvd_id text NOT NULL,
  cve_id text NOT NULL,
  CONSTRAINT euvd_mapping_pkey PRIMARY KEY (euvd_id, cve_id)
);
CREATE INDEX euvd_mapping_cve ON euvd_mapping USING btree (cve_id);

CREATE TABLE expiry_notice (
  object_id uuid NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  days smallint NOT NULL,
  told_at timestamp with time zone NOT NULL,
  CONSTRAINT expiry_notice_pkey PRIMARY KEY (object_id, ends_at, days)
);
CREATE INDEX expiry_notice_ended ON expiry_notice USING btree (ends_at);

CREATE TABLE exploited (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  source text NOT NULL,
  cve_id text,
  euvd_id text,
  name text NOT NULL,
  listed_on date,
  first_seen_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  entry jsonb NOT NULL,
  CONSTRAINT exploited_pkey PRIMARY KEY (id),
  CONSTRAINT exploited_check CHECK (cve_id IS NOT NULL OR euvd_id IS NOT NULL),
  CONSTRAINT exploited_source_check CHECK (source = ANY (ARRAY['kev'::text, 'euvd'::text]))
);
CREATE INDEX exploited_cve ON exploited USING btree (cve_id);
CREATE UNIQUE INDEX exploited_entry ON exploited USING btree (source, COALESCE(cve_id, euvd_id));
CREATE INDEX exploited_euvd ON exploited USING btree (euvd_id);

CREATE TABLE family (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  name text NOT NULL,
  current_version_id uuid,
  next_component_number integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL,
  archived_at timestamp with time zone,
  deleted_at timestamp with time zone,
  CONSTRAINT family_pkey PRIMARY KEY (id),
  CONSTRAINT family_workspace_id_id_key UNIQUE (workspace_id, id),
  CONSTRAINT family_id_current_version_id_fkey FOREIGN KEY (id, current_version_id) REFERENCES product_version(family_id, id),
  CONSTRAINT family_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);
CREATE UNIQUE INDEX family_name ON family USING btree (workspace_id, lower(name)) WHERE deleted_at IS NULL;

CREATE TABLE family_badge (
  family_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  secret text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT family_badge_pkey PRIMARY KEY (family_id),
  CONSTRAINT family_badge_secret_key UNIQUE (secret),
  CONSTRAINT family_badge_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id)
);

CREATE TABLE family_day (
  family_id uuid NOT NULL,
  day date NOT NULL,
  workspace_id uuid NOT NULL,
  counted_at timestamp with time zone NOT NULL,
  kev integer NOT NULL,
  euvd integer NOT NULL,
  exploited integer NOT NULL,
  covered bigint NOT NULL,
  components bigint NOT NULL,
  CONSTRAINT family_day_pkey PRIMARY KEY (family_id, day),
  CONSTRAINT family_day_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);
CREATE INDEX family_day_old ON family_day USING btree (counted_at);
CREATE INDEX family_day_workspace ON family_day USING btree (workspace_id, day);

CREATE TABLE family_day_turn (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  CONSTRAINT family_day_turn_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT family_day_turn_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);

CREATE TABLE finding (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  version_id uuid,
  identity_id uuid NOT NULL,
  group_id bigint NOT NULL,
  grade text NOT NULL,
  exploited_by text[] NOT NULL,
  first_seen_at timestamp with time zone NOT NULL,
  closed_at timestamp with time zone,
  verdict text,
  verdict_justification text,
  verdict_decision_id uuid,
  verdict_document_id uuid,
  verdict_statement integer,
  verdict_since timestamp with time zone,
  first_verdict_at timestamp with time zone,
  malware_told_at timestamp with time zone,
  ended_by_data boolean NOT NULL DEFAULT false,
  CONSTRAINT finding_pkey PRIMARY KEY (id),
  CONSTRAINT finding_check CHECK ((verdict IS NULL) = (verdict_since IS NULL)),
  CONSTRAINT finding_check1 CHECK ((verdict IS NULL) = (num_nonnulls(verdict_decision_id, verdict_document_id) = 0)),
  CONSTRAINT finding_check2 CHECK ((verdict_document_id IS NULL) = (verdict_statement IS NULL)),
  CONSTRAINT finding_grade_check CHECK (grade = ANY (ARRAY['exact'::text, 'possible'::text])),
  CONSTRAINT finding_verdict_check CHECK (verdict = ANY (ARRAY['affected'::text, 'under_investigation'::text, 'fixed'::text, 'not_affected'::text]))
);
CREATE INDEX finding_decision ON finding USING btree (verdict_decision_id) WHERE verdict_decision_id IS NOT NULL;
CREATE INDEX finding_document ON finding USING btree (verdict_document_id) WHERE verdict_document_id IS NOT NULL;
CREATE INDEX finding_exploited ON finding USING btree (family_id) WHERE closed_at IS NULL AND exploited_by <> '{}'::text[];
CREATE INDEX finding_identity ON finding USING btree (identity_id) WHERE closed_at IS NULL;
CREATE INDEX finding_malware ON finding USING btree (family_id) WHERE closed_at IS NULL AND malware_told_at IS NOT NULL;
CREATE INDEX finding_of_group ON finding USING btree (group_id, workspace_id);
CREATE UNIQUE INDEX finding_subject ON finding USING btree (family_id, version_id, identity_id, group_id) NULLS NOT DISTINCT;
CREATE INDEX finding_workspace ON finding USING btree (workspace_id, family_id) WHERE closed_at IS NULL;
CREATE STATISTICS finding_tenant (dependencies) ON workspace_id, family_id FROM finding;

CREATE TABLE finding_turn (
  finding_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  is_settled boolean NOT NULL,
  family_id uuid NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT finding_turn_pkey PRIMARY KEY (finding_id, id)
);
CREATE INDEX finding_turn_family ON finding_turn USING btree (family_id);

CREATE TABLE finished_backup (
  is_last boolean NOT NULL DEFAULT true,
  finished_at timestamp with time zone NOT NULL,
  size_bytes bigint NOT NULL,
  CONSTRAINT finished_backup_pkey PRIMARY KEY (is_last),
  CONSTRAINT finished_backup_is_last_check CHECK (is_last)
);

CREATE TABLE identity_batch (
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  sbom_id uuid NOT NULL,
  place integer NOT NULL,
  id text STORAGE EXTERNAL NOT NULL,
  ecosystem text STORAGE EXTERNAL NOT NULL,
  package_key text STORAGE EXTERNAL NOT NULL,
  subject text STORAGE EXTERNAL NOT NULL,
  version text STORAGE EXTERNAL NOT NULL,
  release text STORAGE EXTERNAL NOT NULL,
  stream text STORAGE EXTERNAL NOT NULL,
  scheme text STORAGE EXTERNAL NOT NULL,
  version_key text STORAGE EXTERNAL NOT NULL,
  key_generation integer NOT NULL,
  decidability text STORAGE EXTERNAL NOT NULL,
  reason text STORAGE EXTERNAL NOT NULL,
  basis text STORAGE EXTERNAL NOT NULL,
  other_ecosystems text NOT NULL DEFAULT ''::text,
  further_keys jsonb NOT NULL DEFAULT '[]'::jsonb,
  CONSTRAINT identity_batch_pkey PRIMARY KEY (family_id, sbom_id, place)
);

CREATE TABLE identity_key (
  identity_id uuid NOT NULL,
  number smallint NOT NULL,
  origin text NOT NULL,
  ecosystem text NOT NULL,
  package_key text NOT NULL,
  version text NOT NULL,
  release text,
  stream text NOT NULL,
  scheme text NOT NULL,
  version_key bytea,
  decidability text NOT NULL,
  basis text NOT NULL,
  is_named boolean,
  CONSTRAINT identity_key_pkey PRIMARY KEY (identity_id, number),
  CONSTRAINT identity_key_identity_id_fkey FOREIGN KEY (identity_id) REFERENCES component_identity(id),
  CONSTRAINT identity_key_number_check CHECK (number > 0)
);
CREATE INDEX identity_key_package ON identity_key USING btree (package_key);

CREATE TABLE identity_match (
  identity_id uuid NOT NULL,
  vulnerability_id bigint NOT NULL,
  grade text NOT NULL,
  grade_reason text,
  range_id bigint NOT NULL,
  matched_at timestamp with time zone NOT NULL,
  CONSTRAINT identity_match_pkey PRIMARY KEY (identity_id, vulnerability_id),
  CONSTRAINT identity_match_grade_check CHECK (grade = ANY (ARRAY['exact'::text, 'possible'::text]))
);
CREATE INDEX identity_match_vulnerability ON identity_match USING btree (vulnerability_id);

CREATE TABLE inbox_attachment (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  report_id uuid NOT NULL,
  size_bytes integer NOT NULL,
  name_sealed bytea NOT NULL,
  content_sealed bytea STORAGE EXTERNAL,
  object_id uuid,
  CONSTRAINT inbox_attachment_pkey PRIMARY KEY (id),
  CONSTRAINT inbox_attachment_object FOREIGN KEY (workspace_id, object_id) REFERENCES original_object(workspace_id, id),
  CONSTRAINT inbox_attachment_workspace_id_report_id_fkey FOREIGN KEY (workspace_id, report_id) REFERENCES inbox_report(workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT inbox_attachment_original CHECK ((content_sealed IS NULL) = (object_id IS NOT NULL))
);
CREATE UNIQUE INDEX inbox_attachment_object ON inbox_attachment USING btree (workspace_id, object_id) WHERE object_id IS NOT NULL;
CREATE INDEX inbox_attachment_report ON inbox_attachment USING btree (report_id);
CREATE TRIGGER inbox_attachment_moved AFTER UPDATE OF object_id ON inbox_attachment FOR EACH ROW WHEN (old.object_id IS NOT NULL AND old.object_id IS DISTINCT FROM new.object_id) EXECUTE FUNCTION release_original();
CREATE TRIGGER inbox_attachment_released AFTER DELETE ON inbox_attachment FOR EACH ROW WHEN (old.object_id IS NOT NULL) EXECUTE FUNCTION release_original();

CREATE TABLE inbox_counter (
  workspace_id uuid NOT NULL,
  last_number integer NOT NULL,
  CONSTRAINT inbox_counter_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT inbox_counter_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);

CREATE TABLE inbox_entry (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  report_id uuid NOT NULL,
  kind text NOT NULL,
  at timestamp with time zone NOT NULL,
  person_id uuid,
  text_sealed bytea,
  state text,
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT inbox_entry_pkey PRIMARY KEY (id),
  CONSTRAINT inbox_entry_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT inbox_entry_workspace_id_report_id_fkey FOREIGN KEY (workspace_id, report_id) REFERENCES inbox_report(workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT inbox_entry_check CHECK ((kind = 'state'::text) = (state IS NOT NULL)),
  CONSTRAINT inbox_entry_kind_check CHECK (kind = ANY (ARRAY['reporter'::text, 'company'::text, 'outside'::text, 'note'::text, 'state'::text]))
);
CREATE INDEX inbox_entry_report ON inbox_entry USING btree (report_id, at, id);

CREATE TABLE inbox_report (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  number integer NOT NULL,
  received_at timestamp with time zone NOT NULL,
  acknowledge_by timestamp with time zone,
  answered_at timestamp with time zone,
  remind_at timestamp with time zone,
  state text NOT NULL,
  state_at timestamp with time zone NOT NULL,
  spam_reasons text[] NOT NULL DEFAULT '{}'::text[],
  told_at timestamp with time zone,
  family_id uuid,
  language text NOT NULL,
  exploited text NOT NULL,
  embargo_until date,
  wants_credit boolean NOT NULL,
  credit_consent boolean NOT NULL,
  duplicate_of uuid,
  receipt_hash bytea,
  receipt_sealed bytea,
  text_sealed bytea,
  text_hash bytea,
  closed_at timestamp with time zone,
  erased_at timestamp with time zone,
  consent_withdrawn_at timestamp with time zone,
  CONSTRAINT inbox_report_pkey PRIMARY KEY (id),
  CONSTRAINT inbox_report_receipt_hash_key UNIQUE (receipt_hash),
  CONSTRAINT inbox_report_workspace_id_id_key UNIQUE (workspace_id, id),
  CONSTRAINT inbox_report_workspace_id_number_key UNIQUE (workspace_id, number),
  CONSTRAINT inbox_report_family_id_fkey FOREIGN KEY (family_id) REFERENCES family(id),
  CONSTRAINT inbox_report_workspace_id_duplicate_of_fkey FOREIGN KEY (workspace_id, duplicate_of) REFERENCES inbox_report(workspace_id, id),
  CONSTRAINT inbox_report_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id),
  CONSTRAINT inbox_report_exploited_check CHECK (exploited = ANY (ARRAY['yes'::text, 'no'::text, 'unknown'::text])),
  CONSTRAINT inbox_report_language_check CHECK (language = ANY (ARRAY['en'::text, 'nb'::text, 'de'::text])),
  CONSTRAINT inbox_report_state_check CHECK (state = ANY (ARRAY['new'::text, 'acknowledged'::text, 'investigating'::text, 'confirmed'::text, 'not_reproduced'::text, 'duplicate'::text, 'out_of_scope'::text, 'spam'::text, 'fixed'::text, 'disclosed'::text, 'closed'::text]))
);
CREATE INDEX inbox_report_duplicates ON inbox_report USING btree (workspace_id, duplicate_of) WHERE duplicate_of IS NOT NULL;
CREATE INDEX inbox_report_kept ON inbox_report USING btree (closed_at) WHERE state = 'closed'::text AND erased_at IS NULL;
CREATE INDEX inbox_report_listed ON inbox_report USING btree (workspace_id, state, number DESC);
CREATE INDEX inbox_report_remind ON inbox_report USING btree (remind_at) WHERE remind_at IS NOT NULL;
CREATE INDEX inbox_report_repeated ON inbox_report USING btree (workspace_id, text_hash, received_at);
CREATE INDEX inbox_report_spam ON inbox_report USING btree (state_at) WHERE state = 'spam'::text;

CREATE TABLE inbox_report_incident (
  workspace_id uuid NOT NULL,
  report_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  linked_at timestamp with time zone NOT NULL,
  CONSTRAINT inbox_report_incident_pkey PRIMARY KEY (report_id, incident_id),
  CONSTRAINT inbox_report_incident_workspace_id_incident_id_fkey FOREIGN KEY (workspace_id, incident_id) REFERENCES incident(workspace_id, id),
  CONSTRAINT inbox_report_incident_workspace_id_report_id_fkey FOREIGN KEY (workspace_id, report_id) REFERENCES inbox_report(workspace_id, id) ON DELETE CASCADE
);
CREATE INDEX inbox_report_incident_of ON inbox_report_incident USING btree (workspace_id, incident_id);

CREATE TABLE incident (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  reference text NOT NULL,
  kind text NOT NULL,
  title text NOT NULL,
  vuln_key text,
  aliases text[] NOT NULL,
  source text NOT NULL,
  listed_by text[] NOT NULL,
  severity text NOT NULL,
  is_exercise boolean NOT NULL,
  status text NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  opened_by_kind text NOT NULL,
  opened_by uuid,
  opened_by_name text NOT NULL,
  aware_at timestamp with time zone NOT NULL,
  occurred_at timestamp with time zone,
  measure_available_at timestamp with time zone,
  member_states text[] NOT NULL DEFAULT '{}'::text[],
  assignee uuid,
  cycle smallint NOT NULL DEFAULT 1,
  follows uuid,
  users_informed jsonb,
  maintainer_informed jsonb,
  closed_at timestamp with time zone,
  closed_by_name text,
  close_reason text,
  untaken_since timestamp with time zone,
  untaken_told smallint NOT NULL DEFAULT 0,
  CONSTRAINT incident_pkey PRIMARY KEY (id),
  CONSTRAINT incident_workspace_id_id_key UNIQUE (workspace_id, id),
  CONSTRAINT incident_workspace_id_reference_key UNIQUE (workspace_id, reference),
  CONSTRAINT incident_assignee_fkey FOREIGN KEY (assignee) REFERENCES person(id),
  CONSTRAINT incident_opened_by_fkey FOREIGN KEY (opened_by) REFERENCES person(id),
  CONSTRAINT incident_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id),
  CONSTRAINT incident_workspace_id_follows_fkey FOREIGN KEY (workspace_id, follows) REFERENCES incident(workspace_id, id),
  CONSTRAINT incident_check CHECK (kind = 'vulnerability'::text OR vuln_key IS NULL),
  CONSTRAINT incident_check1 CHECK ((status = 'closed'::text) = (closed_at IS NOT NULL)),
  CONSTRAINT incident_kind_check CHECK (kind = ANY (ARRAY['vulnerability'::text, 'severe_incident'::text])),
  CONSTRAINT incident_opened_by_kind_check CHECK (opened_by_kind = ANY (ARRAY['person'::text, 'system'::text])),
  CONSTRAINT incident_source_check CHECK (source = ANY (ARRAY['kev'::text, 'euvd'::text, 'manual'::text, 'report'::text])),
  CONSTRAINT incident_status_check CHECK (status = ANY (ARRAY['open'::text, 'closed'::text]))
);
CREATE INDEX incident_follows ON incident USING btree (workspace_id, follows) WHERE follows IS NOT NULL;
CREATE INDEX incident_list ON incident USING btree (workspace_id, status, opened_at DESC, id);
CREATE INDEX incident_untaken ON incident USING btree (opened_at) WHERE status = 'open'::text AND assignee IS NULL AND NOT is_exercise;
CREATE INDEX incident_vuln_key ON incident USING btree (workspace_id, vuln_key);

CREATE TABLE incident_affected (
  incident_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  version_id uuid,
  version text,
  identity_id uuid NOT NULL,
  group_id bigint NOT NULL,
  vuln_key text NOT NULL,
  component text NOT NULL,
  component_version text,
  purl text,
  listed_by text[] NOT NULL,
  added_at timestamp with time zone NOT NULL,
  noted_gone boolean NOT NULL DEFAULT false,
  noted_verdict text,
  noted_document_id uuid,
  noted_unnamed boolean NOT NULL DEFAULT false,
  CONSTRAINT incident_affected_workspace_id_incident_id_fkey FOREIGN KEY (workspace_id, incident_id) REFERENCES incident(workspace_id, id)
);
CREATE INDEX incident_affected_key ON incident_affected USING btree (workspace_id, family_id, vuln_key);
CREATE UNIQUE INDEX incident_affected_subject ON incident_affected USING btree (incident_id, family_id, version_id, identity_id) NULLS NOT DISTINCT;

CREATE TABLE incident_entry (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  kind text NOT NULL,
  actor_kind text NOT NULL,
  actor_id uuid,
  actor_name text NOT NULL,
  data jsonb NOT NULL,
  CONSTRAINT incident_entry_pkey PRIMARY KEY (id),
  CONSTRAINT incident_entry_workspace_id_incident_id_fkey FOREIGN KEY (workspace_id, incident_id) REFERENCES incident(workspace_id, id),
  CONSTRAINT incident_entry_actor_kind_check CHECK (actor_kind = ANY (ARRAY['person'::text, 'token'::text, 'system'::text]))
);
CREATE INDEX incident_entry_of ON incident_entry USING btree (workspace_id, incident_id, at, id);
CREATE TRIGGER incident_entry_append_only BEFORE DELETE OR UPDATE ON incident_entry FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE incident_family (
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  family_id uuid NOT NULL,
  vuln_key text,
  is_open boolean NOT NULL,
  is_exercise boolean NOT NULL,
  CONSTRAINT incident_family_pkey PRIMARY KEY (incident_id, family_id),
  CONSTRAINT incident_family_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id),
  CONSTRAINT incident_family_workspace_id_incident_id_fkey FOREIGN KEY (workspace_id, incident_id) REFERENCES incident(workspace_id, id)
);
CREATE INDEX incident_family_of ON incident_family USING btree (workspace_id, family_id);
CREATE UNIQUE INDEX incident_family_open ON incident_family USING btree (workspace_id, family_id, vuln_key) WHERE is_open AND NOT is_exercise AND vuln_key IS NOT NULL;

CREATE TABLE incident_link (
  workspace_id uuid NOT NULL,
  one uuid NOT NULL,
  other uuid NOT NULL,
  linked_at timestamp with time zone NOT NULL,
  CONSTRAINT incident_link_pkey PRIMARY KEY (one, other),
  CONSTRAINT incident_link_workspace_id_one_fkey FOREIGN KEY (workspace_id, one) REFERENCES incident(workspace_id, id),
  CONSTRAINT incident_link_workspace_id_other_fkey FOREIGN KEY (workspace_id, other) REFERENCES incident(workspace_id, id),
  CONSTRAINT incident_link_check CHECK (one < other)
);
CREATE INDEX incident_link_other ON incident_link USING btree (other);

CREATE TABLE incident_number (
  workspace_id uuid NOT NULL,
  year smallint NOT NULL,
  last integer NOT NULL,
  CONSTRAINT incident_number_pkey PRIMARY KEY (workspace_id, year),
  CONSTRAINT incident_number_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);

CREATE TABLE incident_regime (
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  regime text NOT NULL,
  is_active boolean NOT NULL,
  aware_at timestamp with time zone,
  classified_at timestamp with time zone,
  waiver text,
  reason text,
  changed_at timestamp with time zone NOT NULL,
  changed_by_name text NOT NULL,
  CONSTRAINT incident_regime_pkey PRIMARY KEY (incident_id, regime),
  CONSTRAINT incident_regime_workspace_id_incident_id_fkey FOREIGN KEY (workspace_id, incident_id) REFERENCES incident(workspace_id, id),
  CONSTRAINT incident_regime_regime_check CHECK (regime = ANY (ARRAY['cra'::text, 'digitalsikkerhetsloven'::text, 'gdpr'::text, 'dora'::text])),
  CONSTRAINT incident_regime_waiver_check CHECK (waiver = 'no_risk'::text)
);

CREATE TABLE incident_task (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  title text NOT NULL,
  due_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  created_by_name text NOT NULL,
  done_at timestamp with time zone,
  done_by_name text,
  CONSTRAINT incident_task_pkey PRIMARY KEY (id),
  CONSTRAINT incident_task_workspace_id_incident_id_fkey FOREIGN KEY (workspace_id, incident_id) REFERENCES incident(workspace_id, id)
);
CREATE INDEX incident_task_of ON incident_task USING btree (workspace_id, incident_id, created_at);

CREATE TABLE invitation (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  invited_by uuid,
  invited_by_name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  sent_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  link_id uuid,
  accepted_at timestamp with time zone,
  accepted_by uuid,
  withdrawn_at timestamp with time zone,
  CONSTRAINT invitation_pkey PRIMARY KEY (id),
  CONSTRAINT invitation_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES person(id),
  CONSTRAINT invitation_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES person(id),
  CONSTRAINT invitation_link_id_fkey FOREIGN KEY (link_id) REFERENCES one_time_link(id) ON DELETE SET NULL,
  CONSTRAINT invitation_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id),
  CONSTRAINT invitation_role_check CHECK (role = ANY (ARRAY['owner'::text, 'admin'::text, 'lead'::text, 'editor'::text, 'viewer'::text]))
);
CREATE INDEX invitation_by ON invitation USING btree (workspace_id, invited_by) WHERE accepted_at IS NULL AND withdrawn_at IS NULL;
CREATE INDEX invitation_link ON invitation USING btree (link_id) WHERE link_id IS NOT NULL;
CREATE UNIQUE INDEX invitation_waiting ON invitation USING btree (workspace_id, lower(email)) WHERE accepted_at IS NULL AND withdrawn_at IS NULL;

CREATE TABLE job (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL,
  key text,
  workspace_id uuid NOT NULL,
  payload jsonb NOT NULL,
  state text NOT NULL,
  run_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL,
  leased_until timestamp with time zone,
  leased_by text,
  failed_at timestamp with time zone,
  last_error text,
  CONSTRAINT job_pkey PRIMARY KEY (id),
  CONSTRAINT job_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'running'::text, 'failed'::text]))
);
CREATE INDEX job_due ON job USING btree (run_at, id) WHERE state = 'waiting'::text;
CREATE INDEX job_failed ON job USING btree (kind, id) WHERE state = 'failed'::text;
CREATE INDEX job_running ON job USING btree (leased_until) WHERE state = 'running'::text;
CREATE INDEX job_urgent ON job USING btree (run_at, id) WHERE state = 'waiting'::text AND kind = 'open_incidents'::text;
CREATE INDEX job_waiting ON job USING btree (workspace_id, run_at, id) WHERE state = 'waiting'::text;
CREATE UNIQUE INDEX job_waiting_key ON job USING btree (kind, key) WHERE state = 'waiting'::text AND key IS NOT NULL;

CREATE TABLE known_release (
  ecosystem text NOT NULL,
  release text NOT NULL,
  CONSTRAINT known_release_pkey PRIMARY KEY (ecosystem, release)
);

CREATE TABLE mail (
  id uuid NOT NULL,
  workspace_id uuid,
  person_id uuid,
  event_id uuid NOT NULL,
  kind text NOT NULL,
  fact jsonb NOT NULL,
  is_named boolean NOT NULL,
  recipient text NOT NULL,
  recipient_name text NOT NULL,
  message_id text,
  subject text,
  text text,
  html text,
  state text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  crashes smallint NOT NULL DEFAULT 0,
  leased_by text,
  leased_until timestamp with time zone,
  ended_at timestamp with time zone,
  reason text,
  link_id uuid,
  turn smallint NOT NULL DEFAULT 1,
  is_begun boolean NOT NULL DEFAULT true,
  CONSTRAINT mail_pkey PRIMARY KEY (id),
  CONSTRAINT mail_event_id_person_id_key UNIQUE (event_id, person_id),
  CONSTRAINT mail_link_id_fkey FOREIGN KEY (link_id) REFERENCES one_time_link(id) ON DELETE SET NULL,
  CONSTRAINT mail_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT mail_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id),
  CONSTRAINT mail_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'kept'::text, 'not_sent'::text]))
);
CREATE INDEX mail_ended ON mail USING btree (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX mail_in_turn ON mail USING btree (turn, due_at, id) WHERE state = 'waiting'::text;
CREATE UNIQUE INDEX mail_letter ON mail USING btree (event_id) WHERE person_id IS NULL;
CREATE INDEX mail_link ON mail USING btree (link_id) WHERE link_id IS NOT NULL;
CREATE INDEX mail_listed ON mail USING btree (created_at DESC, id DESC);
CREATE INDEX mail_sending ON mail USING btree (leased_until) WHERE state = 'sending'::text;
CREATE INDEX mail_waiting ON mail USING btree (due_at, id) WHERE state = 'waiting'::text;

CREATE TABLE mail_request_window (
  subject bytea NOT NULL,
  window_started_at timestamp with time zone NOT NULL,
  ends_at timestamp with time zone NOT NULL,
  requests integer NOT NULL,
  CONSTRAINT mail_request_window_pkey PRIMARY KEY (subject)
);
CREATE INDEX mail_request_window_ends ON mail_request_window USING btree (ends_at);

CREATE TABLE malware_digest (
  hash text COLLATE "C" NOT NULL,
  vulnerability_id bigint NOT NULL,
  CONSTRAINT malware_digest_pkey PRIMARY KEY (hash, vulnerability_id)
);
CREATE INDEX malware_digest_vulnerability ON malware_digest USING btree (vulnerability_id);

CREATE TABLE member (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  CONSTRAINT member_pkey PRIMARY KEY (workspace_id, person_id),
  CONSTRAINT member_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT member_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id),
  CONSTRAINT member_role_check CHECK (role = ANY (ARRAY['owner'::text, 'admin'::text, 'lead'::text, 'editor'::text, 'viewer'::text]))
);
CREATE INDEX member_person ON member USING btree (person_id);

CREATE TABLE member_notices (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  time_zone text,
  choices jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT member_notices_pkey PRIMARY KEY (workspace_id, person_id),
  CONSTRAINT member_notices_workspace_id_person_id_fkey FOREIGN KEY (workspace_id, person_id) REFERENCES member(workspace_id, person_id)
);

CREATE TABLE moved_address (
  slug text NOT NULL,
  origin text NOT NULL,
  until timestamp with time zone,
  set_at timestamp with time zone NOT NULL,
  CONSTRAINT moved_address_pkey PRIMARY KEY (slug)
);

CREATE TABLE offered_family (
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  CONSTRAINT offered_family_pkey PRIMARY KEY (workspace_id, family_id),
  CONSTRAINT offered_family_family_id_fkey FOREIGN KEY (family_id) REFERENCES family(id),
  CONSTRAINT offered_family_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);

CREATE TABLE one_time_link (
  id uuid NOT NULL,
  purpose text NOT NULL,
  secret_hash bytea NOT NULL,
  secret_sealed bytea,
  recipient text NOT NULL,
  person_id uuid,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT one_time_link_pkey PRIMARY KEY (id),
  CONSTRAINT one_time_link_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT one_time_link_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT one_time_link_purpose_check CHECK (purpose = ANY (ARRAY['sign_up'::text, 'invitation'::text, 'password_reset'::text, 'email_change'::text]))
);
CREATE INDEX one_time_link_expires ON one_time_link USING btree (expires_at);
CREATE INDEX one_time_link_person ON one_time_link USING btree (person_id) WHERE ended_at IS NULL;

CREATE TABLE operator_link (
  secret_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT operator_link_pkey PRIMARY KEY (secret_hash)
);

CREATE TABLE operator_session (
  id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  address text NOT NULL,
  CONSTRAINT operator_session_pkey PRIMARY KEY (id),
  CONSTRAINT operator_session_secret_hash_key UNIQUE (secret_hash)
);

CREATE TABLE original_object (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  sha256 bytea NOT NULL,
  sealed_sha256 bytea NOT NULL,
  sealed_bytes integer NOT NULL,
  key_id bigint NOT NULL,
  state text NOT NULL,
  staged_at timestamp with time zone NOT NULL DEFAULT now(),
  kept_at timestamp with time zone,
  erase_from timestamp with time zone,
  bucket text,
  CONSTRAINT original_object_pkey PRIMARY KEY (id),
  CONSTRAINT original_object_workspace_id_id_key UNIQUE (workspace_id, id),
  CONSTRAINT original_object_check CHECK ((state = 'erasing'::text) = (erase_from IS NOT NULL)),
  CONSTRAINT original_object_state_check CHECK (state = ANY (ARRAY['staged'::text, 'kept'::text, 'erasing'::text, 'lost'::text]))
);
CREATE INDEX original_object_erasing ON original_object USING btree (workspace_id, erase_from) WHERE state = 'erasing'::text;
CREATE INDEX original_object_key ON original_object USING btree (key_id) WHERE state = 'kept'::text;
CREATE INDEX original_object_staged ON original_object USING btree (staged_at) WHERE state = 'staged'::text;

CREATE TABLE passkey (
  id uuid NOT NULL,
  person_id uuid NOT NULL,
  name text NOT NULL,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT passkey_pkey PRIMARY KEY (id),
  CONSTRAINT passkey_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkey_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);
CREATE INDEX passkey_person ON passkey USING btree (person_id, created_at);

CREATE TABLE passkey_challenge (
  challenge text NOT NULL,
  purpose text NOT NULL,
  person_id uuid,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT passkey_challenge_pkey PRIMARY KEY (challenge),
  CONSTRAINT passkey_challenge_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id),
  CONSTRAINT passkey_challenge_purpose_check CHECK (purpose = ANY (ARRAY['register'::text, 'sign_in'::text, 'second_step'::text, 'confirm'::text]))
);
CREATE INDEX passkey_challenge_created ON passkey_challenge USING btree (created_at);

CREATE TABLE person (
  id uuid NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text,
  created_at timestamp with time zone NOT NULL,
  time_zone text,
  CONSTRAINT person_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX person_email ON person USING btree (lower(email));

CREATE TABLE product_facts (
  family_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  member_states text[] NOT NULL DEFAULT '{}'::text[],
  product_type text,
  product_class text,
  category text,
  support_ends_on date,
  user_contact text,
  changed_at timestamp with time zone NOT NULL,
  changed_by_name text NOT NULL,
  CONSTRAINT product_facts_pkey PRIMARY KEY (family_id),
  CONSTRAINT product_facts_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id),
  CONSTRAINT product_facts_product_class_check CHECK (product_class = ANY (ARRAY['class_1'::text, 'class_2'::text])),
  CONSTRAINT product_facts_product_type_check CHECK (product_type = ANY (ARRAY['default'::text, 'important'::text, 'critical'::text]))
);

CREATE TABLE product_version (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  retired_at timestamp with time zone,
  CONSTRAINT product_version_pkey PRIMARY KEY (id),
  CONSTRAINT product_version_family_id_id_key UNIQUE (family_id, id),
  CONSTRAINT product_version_family_id_name_key UNIQUE (family_id, name),
  CONSTRAINT product_version_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id)
);

CREATE TABLE recovery_code (
  person_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT recovery_code_pkey PRIMARY KEY (person_id, code_hash),
  CONSTRAINT recovery_code_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);

CREATE TABLE regime_report (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  regime text NOT NULL,
  report text NOT NULL,
  cycle smallint NOT NULL,
  state text NOT NULL,
  due_at timestamp with time zone,
  lead_hours smallint NOT NULL,
  reason text,
  created_at timestamp with time zone NOT NULL,
  submitted_at timestamp with time zone,
  warned_at timestamp with time zone,
  mailed_at timestamp with time zone,
  overdue_told_at timestamp with time zone,
  CONSTRAINT regime_report_pkey PRIMARY KEY (id),
  CONSTRAINT regime_report_incident_id_regime_report_cycle_key UNIQUE (incident_id, regime, report, cycle),
  CONSTRAINT regime_report_workspace_id_id_key UNIQUE (workspace_id, id),
  CONSTRAINT regime_report_workspace_id_incident_id_fkey FOREIGN KEY (workspace_id, incident_id) REFERENCES incident(workspace_id, id),
  CONSTRAINT regime_report_check CHECK (state <> 'open'::text OR due_at IS NOT NULL),
  CONSTRAINT regime_report_report_check CHECK (report = ANY (ARRAY['early_warning'::text, 'notification'::text, 'initial_notification'::text, 'intermediate_report'::text, 'final_report'::text])),
  CONSTRAINT regime_report_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'open'::text, 'submitted'::text, 'not_required'::text]))
);
CREATE INDEX regime_report_open ON regime_report USING btree (workspace_id, due_at) WHERE state = 'open'::text;
CREATE INDEX regime_report_overdue ON regime_report USING btree (due_at) WHERE state = 'open'::text;
CREATE INDEX regime_report_unwarned ON regime_report USING btree (due_at) WHERE state = 'open'::text AND (warned_at IS NULL OR mailed_at IS NULL);

CREATE TABLE regime_settings (
  workspace_id uuid NOT NULL,
  cra boolean NOT NULL DEFAULT true,
  digitalsikkerhetsloven boolean NOT NULL DEFAULT false,
  gdpr boolean NOT NULL DEFAULT true,
  dora boolean NOT NULL DEFAULT false,
  main_establishment text,
  authorities jsonb NOT NULL DEFAULT '{}'::jsonb,
  confirmed jsonb NOT NULL DEFAULT '{}'::jsonb,
  dora_facts jsonb NOT NULL DEFAULT '{}'::jsonb,
  dora_facts_changed_at timestamp with time zone,
  CONSTRAINT regime_settings_pkey PRIMARY KEY (workspace_id),
  CONSTRAINT regime_settings_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);

CREATE TABLE removed_sbom (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  version_id uuid,
  sha256 bytea NOT NULL,
  format text NOT NULL,
  spec_version text NOT NULL,
  size_bytes integer NOT NULL,
  component_count integer NOT NULL,
  finding_count integer NOT NULL,
  received_at timestamp with time zone NOT NULL,
  replaced_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone NOT NULL,
  keep text NOT NULL,
  amount integer NOT NULL,
  cra_lifted boolean NOT NULL,
  CONSTRAINT removed_sbom_pkey PRIMARY KEY (id),
  CONSTRAINT removed_sbom_family_id_version_id_fkey FOREIGN KEY (family_id, version_id) REFERENCES product_version(family_id, id),
  CONSTRAINT removed_sbom_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id),
  CONSTRAINT removed_sbom_keep_check CHECK (keep = ANY (ARRAY['last'::text, 'days'::text]))
);
CREATE INDEX removed_sbom_family ON removed_sbom USING btree (workspace_id, family_id, removed_at DESC, id DESC);

CREATE TABLE report_draft (
  report_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  fields_version text NOT NULL,
  field_values jsonb NOT NULL,
  revision integer NOT NULL,
  saved_at timestamp with time zone NOT NULL,
  saved_by_name text NOT NULL,
  CONSTRAINT report_draft_pkey PRIMARY KEY (report_id),
  CONSTRAINT report_draft_report_id_fkey FOREIGN KEY (report_id) REFERENCES regime_report(id),
  CONSTRAINT report_draft_workspace_id_report_id_fkey FOREIGN KEY (workspace_id, report_id) REFERENCES regime_report(workspace_id, id)
);

CREATE TABLE sbom (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  version_id uuid,
  sha256 bytea NOT NULL,
  status text NOT NULL,
  active boolean NOT NULL,
  replaced_by uuid,
  format text NOT NULL,
  spec_version text NOT NULL,
  document_name text,
  document_id text,
  document_created_at text,
  tools text[] NOT NULL,
  operating_system jsonb,
  main_component jsonb,
  hints jsonb NOT NULL,
  vulnerability_entries integer NOT NULL,
  source text NOT NULL,
  sent_by text NOT NULL,
  token_id uuid,
  commit_id text,
  branch text,
  repository text,
  run_url text,
  size_bytes integer NOT NULL,
  raw bytea STORAGE EXTERNAL,
  raw_encoding text NOT NULL,
  component_count integer NOT NULL,
  component_numbers integer[] NOT NULL,
  parent_numbers integer[] NOT NULL DEFAULT '{}'::integer[],
  owner_numbers integer[] NOT NULL DEFAULT '{}'::integer[],
  owned_numbers integer[] NOT NULL DEFAULT '{}'::integer[],
  received_at timestamp with time zone NOT NULL,
  matched_at timestamp with time zone,
  failure text,
  failed_at timestamp with time zone,
  dependency_graph bytea STORAGE EXTERNAL,
  replaced_at timestamp with time zone,
  object_id uuid,
  identity_generation smallint NOT NULL DEFAULT 0,
  CONSTRAINT sbom_pkey PRIMARY KEY (id),
  CONSTRAINT sbom_family_id_sha256_key UNIQUE (family_id, sha256),
  CONSTRAINT sbom_workspace_id_id_key UNIQUE (workspace_id, id),
  CONSTRAINT sbom_family_id_version_id_fkey FOREIGN KEY (family_id, version_id) REFERENCES product_version(family_id, id),
  CONSTRAINT sbom_object FOREIGN KEY (workspace_id, object_id) REFERENCES original_object(workspace_id, id),
  CONSTRAINT sbom_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES sbom(id),
  CONSTRAINT sbom_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id),
  CONSTRAINT sbom_workspace_id_token_id_fkey FOREIGN KEY (workspace_id, token_id) REFERENCES token(workspace_id, id),
  CONSTRAINT sbom_format_check CHECK (format = ANY (ARRAY['cyclonedx'::text, 'spdx'::text])),
  CONSTRAINT sbom_original CHECK ((raw IS NULL) = (object_id IS NOT NULL)),
  CONSTRAINT sbom_raw_encoding_check CHECK (raw_encoding = ANY (ARRAY['identity'::text, 'gzip'::text])),
  CONSTRAINT sbom_source_check CHECK (source = ANY (ARRAY['hosted_ci'::text, 'pipeline_ci'::text, 'sbom_tracker'::text, 'sbom_hub'::text, 'api'::text, 'application'::text])),
  CONSTRAINT sbom_status_check CHECK (status = ANY (ARRAY['received'::text, 'parsed'::text, 'matched'::text, 'failed'::text]))
);
CREATE UNIQUE INDEX sbom_active ON sbom USING btree (family_id, version_id) NULLS NOT DISTINCT WHERE active;
CREATE INDEX sbom_failed ON sbom USING btree (workspace_id, failed_at) WHERE status = 'failed'::text;
CREATE INDEX sbom_family ON sbom USING btree (workspace_id, family_id, received_at DESC, id DESC);
CREATE UNIQUE INDEX sbom_object ON sbom USING btree (workspace_id, object_id) WHERE object_id IS NOT NULL;
CREATE INDEX sbom_owners ON sbom USING btree (family_id) WHERE active AND owner_numbers <> '{}'::integer[];
CREATE INDEX sbom_replaced ON sbom USING btree (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE STATISTICS sbom_tenant (dependencies) ON workspace_id, family_id FROM sbom;
CREATE TRIGGER sbom_moved AFTER UPDATE OF object_id ON sbom FOR EACH ROW WHEN (old.object_id IS NOT NULL AND old.object_id IS DISTINCT FROM new.object_id) EXECUTE FUNCTION release_original();
CREATE TRIGGER sbom_released AFTER DELETE ON sbom FOR EACH ROW WHEN (old.object_id IS NOT NULL) EXECUTE FUNCTION release_original();

CREATE TABLE sbom_inventory (
  sbom_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  numbers int4multirange NOT NULL,
  coverage jsonb,
  CONSTRAINT sbom_inventory_pkey PRIMARY KEY (sbom_id),
  CONSTRAINT sbom_inventory_workspace_id_sbom_id_fkey FOREIGN KEY (workspace_id, sbom_id) REFERENCES sbom(workspace_id, id) ON DELETE CASCADE
);

CREATE TABLE sbom_retention (
  family_id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  keep text NOT NULL,
  amount integer,
  cra_lifted_at timestamp with time zone,
  cra_lifted_by_name text,
  changed_at timestamp with time zone NOT NULL,
  changed_by_name text NOT NULL,
  CONSTRAINT sbom_retention_pkey PRIMARY KEY (family_id),
  CONSTRAINT sbom_retention_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id),
  CONSTRAINT sbom_retention_amount_check CHECK (amount > 0),
  CONSTRAINT sbom_retention_check CHECK ((keep = 'all'::text) = (amount IS NULL)),
  CONSTRAINT sbom_retention_check1 CHECK ((cra_lifted_at IS NULL) = (cra_lifted_by_name IS NULL)),
  CONSTRAINT sbom_retention_keep_check CHECK (keep = ANY (ARRAY['all'::text, 'last'::text, 'days'::text]))
);

CREATE TABLE schema_migration (
  version integer NOT NULL,
  name text NOT NULL,
  sha256 text NOT NULL,
  applied_at timestamp with time zone NOT NULL,
  CONSTRAINT schema_migration_pkey PRIMARY KEY (version)
);

CREATE TABLE sealing_canary (
  id boolean NOT NULL DEFAULT true,
  envelope bytea NOT NULL,
  sealed_at timestamp with time zone NOT NULL,
  CONSTRAINT sealing_canary_pkey PRIMARY KEY (id),
  CONSTRAINT sealing_canary_id_check CHECK (id)
);

CREATE TABLE session (
  id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  person_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  address text,
  confirmed_at timestamp with time zone,
  has_second_factor boolean NOT NULL DEFAULT false,
  company_workspace_id uuid,
  CONSTRAINT session_pkey PRIMARY KEY (id),
  CONSTRAINT session_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT session_company_workspace_id_fkey FOREIGN KEY (company_workspace_id) REFERENCES workspace(id),
  CONSTRAINT session_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);
CREATE INDEX session_person ON session USING btree (person_id);

CREATE TABLE setup_link (
  secret_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT setup_link_pkey PRIMARY KEY (secret_hash)
);

CREATE TABLE sign_in_step (
  secret_hash bytea NOT NULL,
  person_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT sign_in_step_pkey PRIMARY KEY (secret_hash),
  CONSTRAINT sign_in_step_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);
CREATE INDEX sign_in_step_created ON sign_in_step USING btree (created_at);
CREATE INDEX sign_in_step_person ON sign_in_step USING btree (person_id);

CREATE TABLE sign_in_window (
  subject bytea NOT NULL,
  window_started_at timestamp with time zone NOT NULL,
  attempts integer NOT NULL,
  person_id uuid,
  CONSTRAINT sign_in_window_pkey PRIMARY KEY (subject),
  CONSTRAINT sign_in_window_person_id_fkey FOREIGN KEY (person_id) REFERENCES person(id)
);
CREATE INDEX sign_in_window_started ON sign_in_window USING btree (window_started_at);

CREATE TABLE sign_up (
  link_id uuid NOT NULL,
  name text NOT NULL,
  company_name text NOT NULL,
  slug text NOT NULL,
  security_contact_email text NOT NULL,
  time_zone text NOT NULL,
  terms_url text,
  CONSTRAINT sign_up_pkey PRIMARY KEY (link_id),
  CONSTRAINT sign_up_link_id_fkey FOREIGN KEY (link_id) REFERENCES one_time_link(id) ON DELETE CASCADE
);

CREATE TABLE single_sign_on (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  client_secret_sealed bytea,
  changed_at timestamp with time zone NOT NULL,
  CONSTRAINT single_sign_on_pkey PRIMARY KEY (id),
  CONSTRAINT single_sign_on_workspace_id_key UNIQUE (workspace_id),
  CONSTRAINT single_sign_on_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);

CREATE TABLE store_probe (
  filler text STORAGE PLAIN NOT NULL
);

CREATE TABLE submission (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  incident_id uuid NOT NULL,
  report_id uuid NOT NULL,
  kind text NOT NULL,
  submitted_at timestamp with time zone NOT NULL,
  first_submitted_at timestamp with time zone,
  recorded_at timestamp with time zone NOT NULL,
  recorded_by uuid,
  recorded_by_name text NOT NULL,
  channel text NOT NULL,
  authority text,
  external_reference text,
  draft jsonb,
  receipt bytea,
  receipt_name text,
  delay_reason text,
  before_approval boolean NOT NULL,
  object_id uuid,
  CONSTRAINT submission_pkey PRIMARY KEY (id),
  CONSTRAINT submission_object FOREIGN KEY (workspace_id, object_id) REFERENCES original_object(workspace_id, id),
  CONSTRAINT submission_recorded_by_fkey FOREIGN KEY (recorded_by) REFERENCES person(id),
  CONSTRAINT submission_workspace_id_incident_id_fkey FOREIGN KEY (workspace_id, incident_id) REFERENCES incident(workspace_id, id),
  CONSTRAINT submission_workspace_id_report_id_fkey FOREIGN KEY (workspace_id, report_id) REFERENCES regime_report(workspace_id, id),
  CONSTRAINT submission_kind_check CHECK (kind = ANY (ARRAY['submission'::text, 'update'::text, 'amendment'::text])),
  CONSTRAINT submission_original CHECK (num_nonnulls(receipt, object_id) =
CASE
    WHEN receipt_name IS NULL THEN 0
    ELSE 1
END)
);
CREATE INDEX submission_incident ON submission USING btree (workspace_id, incident_id, recorded_at);
CREATE UNIQUE INDEX submission_object ON submission USING btree (workspace_id, object_id) WHERE object_id IS NOT NULL;
CREATE TRIGGER submission_moved AFTER UPDATE OF object_id ON submission FOR EACH ROW WHEN (old.object_id IS NOT NULL AND old.object_id IS DISTINCT FROM new.object_id) EXECUTE FUNCTION release_original();
CREATE TRIGGER submission_released AFTER DELETE ON submission FOR EACH ROW WHEN (old.object_id IS NOT NULL) EXECUTE FUNCTION release_original();

CREATE TABLE suppressed_opening (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  version_id uuid,
  identity_id uuid NOT NULL,
  group_id bigint NOT NULL,
  vuln_key text NOT NULL,
  component text NOT NULL,
  component_version text,
  version text,
  document_id uuid NOT NULL,
  statement integer NOT NULL,
  verdict text NOT NULL,
  since timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT suppressed_opening_pkey PRIMARY KEY (id),
  CONSTRAINT suppressed_opening_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id)
);
CREATE UNIQUE INDEX suppressed_opening_subject ON suppressed_opening USING btree (workspace_id, family_id, version_id, identity_id, vuln_key) NULLS NOT DISTINCT WHERE ended_at IS NULL;

CREATE TABLE token (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  kind text NOT NULL,
  family_id uuid,
  name text NOT NULL,
  prefix text NOT NULL,
  secret_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  created_by uuid,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by uuid,
  CONSTRAINT token_pkey PRIMARY KEY (id),
  CONSTRAINT token_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT token_workspace_id_id_key UNIQUE (workspace_id, id),
  CONSTRAINT token_created_by_fkey FOREIGN KEY (created_by) REFERENCES person(id),
  CONSTRAINT token_revoked_by_fkey FOREIGN KEY (revoked_by) REFERENCES person(id),
  CONSTRAINT token_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id),
  CONSTRAINT token_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id),
  CONSTRAINT token_check CHECK ((kind = 'workspace'::text) = (family_id IS NULL)),
  CONSTRAINT token_kind_check CHECK (kind = ANY (ARRAY['upload'::text, 'results'::text, 'workspace'::text]))
);
CREATE INDEX token_expires ON token USING btree (expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX token_workspace ON token USING btree (workspace_id, created_at);

CREATE TABLE token_use (
  token_id uuid NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  window_started_at timestamp with time zone NOT NULL,
  window_requests integer NOT NULL,
  CONSTRAINT token_use_pkey PRIMARY KEY (token_id),
  CONSTRAINT token_use_token_id_fkey FOREIGN KEY (token_id) REFERENCES token(id)
);

CREATE TABLE unread_file (
  source text NOT NULL,
  file text NOT NULL,
  reason text NOT NULL,
  failures integer NOT NULL DEFAULT 1,
  first_failed_at timestamp with time zone NOT NULL,
  last_failed_at timestamp with time zone NOT NULL,
  ask_again_at timestamp with time zone NOT NULL,
  CONSTRAINT unread_file_pkey PRIMARY KEY (source, file)
);

CREATE TABLE used_form (
  stamp bytea NOT NULL,
  used_at timestamp with time zone NOT NULL,
  CONSTRAINT used_form_pkey PRIMARY KEY (stamp)
);
CREATE INDEX used_form_used ON used_form USING btree (used_at);

CREATE TABLE verdict_decision (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  every_version boolean NOT NULL,
  version_id uuid,
  package_key text COLLATE "C" NOT NULL,
  vulnerability_id text COLLATE "C" NOT NULL,
  verdict text NOT NULL,
  justification text,
  comment text NOT NULL,
  decided_at timestamp with time zone NOT NULL,
  decided_by uuid NOT NULL,
  decided_by_name text NOT NULL,
  expires_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by uuid,
  ended_by_name text,
  replaced_by uuid,
  batch_id uuid,
  CONSTRAINT verdict_decision_pkey PRIMARY KEY (id),
  CONSTRAINT verdict_decision_workspace_id_family_id_id_key UNIQUE (workspace_id, family_id, id),
  CONSTRAINT verdict_decision_decided_by_fkey FOREIGN KEY (decided_by) REFERENCES person(id),
  CONSTRAINT verdict_decision_ended_by_fkey FOREIGN KEY (ended_by) REFERENCES person(id),
  CONSTRAINT verdict_decision_family_id_version_id_fkey FOREIGN KEY (family_id, version_id) REFERENCES product_version(family_id, id),
  CONSTRAINT verdict_decision_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id),
  CONSTRAINT verdict_decision_workspace_id_family_id_replaced_by_fkey FOREIGN KEY (workspace_id, family_id, replaced_by) REFERENCES verdict_decision(workspace_id, family_id, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT verdict_decision_check CHECK (NOT every_version OR version_id IS NULL),
  CONSTRAINT verdict_decision_check1 CHECK (replaced_by IS NULL OR ended_at IS NOT NULL),
  CONSTRAINT verdict_decision_verdict_check CHECK (verdict = ANY (ARRAY['affected'::text, 'under_investigation'::text, 'fixed'::text, 'not_affected'::text]))
);
CREATE INDEX verdict_decision_batch ON verdict_decision USING btree (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX verdict_decision_history ON verdict_decision USING btree (family_id, package_key, decided_at DESC);
CREATE INDEX verdict_decision_replaced ON verdict_decision USING btree (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE UNIQUE INDEX verdict_decision_standing ON verdict_decision USING btree (family_id, package_key, vulnerability_id, every_version, version_id) NULLS NOT DISTINCT WHERE ended_at IS NULL;

CREATE TABLE verified_backup (
  is_last boolean NOT NULL DEFAULT true,
  verified_at timestamp with time zone NOT NULL,
  backup_at timestamp with time zone NOT NULL,
  CONSTRAINT verified_backup_pkey PRIMARY KEY (is_last),
  CONSTRAINT verified_backup_is_last_check CHECK (is_last)
);

CREATE TABLE vex_claim (
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  vulnerability_id text COLLATE "C" NOT NULL,
  document_id uuid NOT NULL,
  number integer NOT NULL,
  CONSTRAINT vex_claim_pkey PRIMARY KEY (document_id, number, vulnerability_id)
);
CREATE INDEX vex_claim_vulnerability ON vex_claim USING btree (family_id, vulnerability_id);

CREATE TABLE vex_document (
  id uuid NOT NULL,
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  version_id uuid,
  sbom_id uuid,
  sha256 bytea NOT NULL,
  format text NOT NULL,
  format_label text NOT NULL,
  document_id text,
  author text,
  document_time timestamp with time zone,
  source text NOT NULL,
  sent_by text NOT NULL,
  token_id uuid,
  statement_count integer NOT NULL,
  finding_count integer NOT NULL,
  unbound_count integer NOT NULL,
  hints jsonb NOT NULL,
  size_bytes integer NOT NULL,
  raw bytea STORAGE EXTERNAL,
  raw_encoding text,
  received_at timestamp with time zone NOT NULL,
  replaced_by uuid,
  replaced_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  withdrawn_by uuid,
  object_id uuid,
  reading_generation smallint NOT NULL DEFAULT 0,
  CONSTRAINT vex_document_pkey PRIMARY KEY (id),
  CONSTRAINT vex_document_workspace_id_family_id_id_key UNIQUE (workspace_id, family_id, id),
  CONSTRAINT vex_document_family_id_version_id_fkey FOREIGN KEY (family_id, version_id) REFERENCES product_version(family_id, id),
  CONSTRAINT vex_document_object FOREIGN KEY (workspace_id, object_id) REFERENCES original_object(workspace_id, id),
  CONSTRAINT vex_document_withdrawn_by_fkey FOREIGN KEY (withdrawn_by) REFERENCES person(id),
  CONSTRAINT vex_document_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id),
  CONSTRAINT vex_document_workspace_id_family_id_replaced_by_fkey FOREIGN KEY (workspace_id, family_id, replaced_by) REFERENCES vex_document(workspace_id, family_id, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT vex_document_workspace_id_sbom_id_fkey FOREIGN KEY (workspace_id, sbom_id) REFERENCES sbom(workspace_id, id),
  CONSTRAINT vex_document_workspace_id_token_id_fkey FOREIGN KEY (workspace_id, token_id) REFERENCES token(workspace_id, id),
  CONSTRAINT vex_document_check2 CHECK ((replaced_by IS NULL) = (replaced_at IS NULL)),
  CONSTRAINT vex_document_encoding CHECK ((raw_encoding IS NULL) = (sbom_id IS NOT NULL)),
  CONSTRAINT vex_document_format_check CHECK (format = ANY (ARRAY['openvex'::text, 'csaf'::text, 'cyclonedx'::text])),
  CONSTRAINT vex_document_original CHECK (num_nonnulls(raw, object_id, sbom_id) = 1),
  CONSTRAINT vex_document_raw_encoding_check CHECK (raw_encoding = ANY (ARRAY['identity'::text, 'gzip'::text, 'zstd'::text])),
  CONSTRAINT vex_document_source_check CHECK (source = ANY (ARRAY['hosted_ci'::text, 'pipeline_ci'::text, 'sbom_tracker'::text, 'sbom_hub'::text, 'api'::text, 'application'::text]))
);
CREATE UNIQUE INDEX vex_document_active ON vex_document USING btree (family_id, version_id, source) NULLS NOT DISTINCT WHERE replaced_by IS NULL AND withdrawn_at IS NULL AND sbom_id IS NULL;
CREATE INDEX vex_document_family ON vex_document USING btree (workspace_id, family_id, received_at DESC, id DESC);
CREATE UNIQUE INDEX vex_document_file ON vex_document USING btree (family_id, sha256) WHERE sbom_id IS NULL;
CREATE UNIQUE INDEX vex_document_object ON vex_document USING btree (workspace_id, object_id) WHERE object_id IS NOT NULL;
CREATE INDEX vex_document_replaced ON vex_document USING btree (replaced_by);
CREATE UNIQUE INDEX vex_document_sbom ON vex_document USING btree (sbom_id);
CREATE TRIGGER vex_document_moved AFTER UPDATE OF object_id ON vex_document FOR EACH ROW WHEN (old.object_id IS NOT NULL AND old.object_id IS DISTINCT FROM new.object_id) EXECUTE FUNCTION release_original();
CREATE TRIGGER vex_document_released AFTER DELETE ON vex_document FOR EACH ROW WHEN (old.object_id IS NOT NULL) EXECUTE FUNCTION release_original();

CREATE TABLE vex_export (
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  version_id uuid,
  format text NOT NULL,
  document_id uuid NOT NULL,
  exports integer NOT NULL,
  first_at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  CONSTRAINT vex_export_family_id_version_id_format_key UNIQUE NULLS NOT DISTINCT (family_id, version_id, format),
  CONSTRAINT vex_export_family_id_version_id_fkey FOREIGN KEY (family_id, version_id) REFERENCES product_version(family_id, id),
  CONSTRAINT vex_export_workspace_id_family_id_fkey FOREIGN KEY (workspace_id, family_id) REFERENCES family(workspace_id, id),
  CONSTRAINT vex_export_format_check CHECK (format = ANY (ARRAY['openvex'::text, 'csaf'::text, 'cyclonedx'::text]))
);

CREATE TABLE vex_link (
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  document_id uuid NOT NULL,
  number integer NOT NULL,
  place integer NOT NULL,
  sbom_id uuid NOT NULL,
  is_product boolean NOT NULL,
  purl text,
  cpe text,
  CONSTRAINT vex_link_pkey PRIMARY KEY (document_id, number, place, sbom_id)
);

CREATE TABLE vex_statement (
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  document_id uuid NOT NULL,
  number integer NOT NULL,
  kind text NOT NULL,
  vulnerability_ids text[] NOT NULL,
  verdict text,
  raw_status text,
  justification text,
  raw_justification text,
  impact text,
  action text,
  responses text[] NOT NULL,
  stated_at timestamp with time zone,
  pointer text NOT NULL,
  product_label text NOT NULL,
  unbound_reason text,
  CONSTRAINT vex_statement_pkey PRIMARY KEY (document_id, number),
  CONSTRAINT vex_statement_workspace_id_family_id_document_id_fkey FOREIGN KEY (workspace_id, family_id, document_id) REFERENCES vex_document(workspace_id, family_id, id),
  CONSTRAINT vex_statement_check CHECK ((kind = 'statement'::text) = (verdict IS NOT NULL)),
  CONSTRAINT vex_statement_kind_check CHECK (kind = ANY (ARRAY['statement'::text, 'finding'::text])),
  CONSTRAINT vex_statement_unbound_reason_check CHECK (unbound_reason = ANY (ARRAY['no_identifier'::text, 'unknown_reference'::text, 'no_product'::text, 'unreadable_identifier'::text])),
  CONSTRAINT vex_statement_verdict_check CHECK (verdict = ANY (ARRAY['affected'::text, 'under_investigation'::text, 'fixed'::text, 'not_affected'::text]))
);

CREATE TABLE vex_target (
  workspace_id uuid NOT NULL,
  family_id uuid NOT NULL,
  document_id uuid NOT NULL,
  number integer NOT NULL,
  place integer NOT NULL,
  kind text NOT NULL,
  purl text,
  cpe text,
  purl_key text COLLATE "C",
  bom_link jsonb,
  carriers jsonb,
  versions jsonb,
  CONSTRAINT vex_target_pkey PRIMARY KEY (document_id, number, place),
  CONSTRAINT vex_target_kind_check CHECK (kind = ANY (ARRAY['component'::text, 'product'::text, 'bom_link'::text]))
);
CREATE INDEX vex_target_link ON vex_target USING btree (family_id) WHERE kind = 'bom_link'::text;

CREATE TABLE vulnerability (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  record_id text NOT NULL,
  source text NOT NULL,
  group_id bigint NOT NULL,
  class text NOT NULL,
  summary text NOT NULL,
  severity text NOT NULL,
  score real,
  vector text,
  published_at timestamp with time zone,
  modified_at timestamp with time zone NOT NULL,
  withdrawn_at timestamp with time zone,
  content_hash text NOT NULL,
  document text NOT NULL,
  imported_at timestamp with time zone NOT NULL,
  CONSTRAINT vulnerability_pkey PRIMARY KEY (id),
  CONSTRAINT vulnerability_record_id_key UNIQUE (record_id),
  CONSTRAINT vulnerability_class_check CHECK (class = ANY (ARRAY['vulnerability'::text, 'malware'::text, 'informational'::text])),
  CONSTRAINT vulnerability_severity_check CHECK (severity = ANY (ARRAY['critical'::text, 'high'::text, 'medium'::text, 'low'::text, 'none'::text, 'unknown'::text]))
);
CREATE INDEX vulnerability_of_group ON vulnerability USING btree (group_id);
CREATE INDEX vulnerability_set_apart ON vulnerability USING btree (id) INCLUDE (class, withdrawn_at) WHERE class = 'informational'::text OR withdrawn_at IS NOT NULL;
CREATE INDEX vulnerability_source ON vulnerability USING btree (source);

CREATE TABLE vulnerability_group (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  title_id text NOT NULL,
  summary text NOT NULL,
  severity text NOT NULL,
  score real,
  severity_source text,
  is_disputed_severity boolean NOT NULL DEFAULT false,
  is_malware boolean NOT NULL DEFAULT false,
  cves text,
  CONSTRAINT vulnerability_group_pkey PRIMARY KEY (id),
  CONSTRAINT vulnerability_group_severity_check CHECK (severity = ANY (ARRAY['critical'::text, 'high'::text, 'medium'::text, 'low'::text, 'none'::text, 'unknown'::text]))
);
CREATE INDEX vulnerability_group_title ON vulnerability_group USING btree (title_id);

CREATE TABLE weekly_turn (
  workspace_id uuid NOT NULL,
  person_id uuid NOT NULL,
  week date NOT NULL,
  CONSTRAINT weekly_turn_pkey PRIMARY KEY (workspace_id, person_id),
  CONSTRAINT weekly_turn_workspace_id_person_id_fkey FOREIGN KEY (workspace_id, person_id) REFERENCES member(workspace_id, person_id)
);

CREATE TABLE workspace (
  id uuid NOT NULL,
  slug text NOT NULL,
  company_name text NOT NULL,
  security_contact_email text NOT NULL,
  time_zone text NOT NULL DEFAULT 'UTC'::text,
  plan text NOT NULL,
  trial_ends_at timestamp with time zone,
  paid_until timestamp with time zone,
  closed_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  slug_frozen_at timestamp with time zone,
  suspended_at timestamp with time zone,
  most_families integer,
  most_sboms integer,
  most_bytes bigint,
  paused_from timestamp with time zone,
  requires_second_factor boolean NOT NULL DEFAULT false,
  requires_single_sign_on boolean NOT NULL DEFAULT false,
  most_file_bytes bigint,
  moving_at timestamp with time zone,
  moved_to text,
  CONSTRAINT workspace_pkey PRIMARY KEY (id),
  CONSTRAINT workspace_slug_key UNIQUE (slug),
  CONSTRAINT workspace_check CHECK (most_families >= 0 AND most_sboms >= 0 AND most_bytes >= 0),
  CONSTRAINT workspace_most_file_bytes_check CHECK (most_file_bytes >= 0),
  CONSTRAINT workspace_plan_check CHECK (plan = ANY (ARRAY['trial'::text, 'starter'::text, 'core'::text, 'plus'::text, 'free'::text]))
);
CREATE TRIGGER workspace_slug_frozen BEFORE UPDATE OF slug ON workspace FOR EACH ROW WHEN (old.slug_frozen_at IS NOT NULL AND old.slug IS DISTINCT FROM new.slug) EXECUTE FUNCTION refuse_frozen_slug();

CREATE TABLE workspace_domain (
  workspace_id uuid NOT NULL,
  domain text NOT NULL,
  proof text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  verified_at timestamp with time zone,
  CONSTRAINT workspace_domain_pkey PRIMARY KEY (workspace_id, domain),
  CONSTRAINT workspace_domain_workspace_id_fkey FOREIGN KEY (workspace_id) REFERENCES workspace(id)
);
CREATE INDEX workspace_domain_verified ON workspace_domain USING btree (domain) WHERE verified_at IS NOT NULL;
