import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../src/database/connection.ts'
import type { Sealing } from '../../src/platform/sealing/sealing.ts'
import { movedSealedColumns } from '../../src/move/sealed.ts'
import { seal } from '../../src/platform/sealing/envelope.ts'

const at = "timestamptz '2026-01-02T03:04:05.678Z'"

/** Rows of the tables that the scene leaves empty: columns and values as SQL, in which a name in braces is the id of one row of that table. */
const rows: Record<string, Record<string, string>> = {
  identity_key: {
    identity_id: '(select identity_id from component where workspace_id = :workspace limit 1)',
    number: '1',
    origin: "'purl'",
    ecosystem: "'npm'",
    package_key: "'npm' || chr(31) || 'other'",
    version: "'1.0.0'",
    stream: "''",
    scheme: "'semver'",
    version_key: "'\\x01'::bytea",
    decidability: "'covered'",
    basis: "'purl'",
  },
  member_notices: {
    person_id: '{person}',
    time_zone: "'Europe/Oslo'",
    choices: `'{"incident.opened":"off"}'`,
  },
  digest_turn: { person_id: '{person}', day: "'2026-01-01'", until: at },
  weekly_turn: { person_id: '{person}', week: "'2025-12-29'" },
  workspace_domain: { domain: "'acme.example'", proof: "'proof'", created_at: at },
  disclosure_settings: {
    public_contact_email: "'psirt@acme.example'",
    acknowledge_days: '4',
    policy: "'Ours.'",
    languages: "'{nb}'",
    embargo_days: '45',
  },
  regime_settings: {
    dora: 'true',
    main_establishment: "'NO'",
    authorities: `'{"cra":"NO"}'`,
    confirmed: "'{}'",
    dora_facts_changed_at: at,
  },
  product_facts: {
    family_id: '{family}',
    member_states: "'{NO,DE}'",
    product_type: "'important'",
    product_class: "'class_1'",
    support_ends_on: "'2031-05-06'",
    changed_at: at,
    changed_by_name: "'Olga'",
  },
  sbom_retention: {
    family_id: '{family}',
    keep: "'last'",
    amount: '7',
    cra_lifted_at: at,
    cra_lifted_by_name: "'Olga'",
    changed_at: at,
    changed_by_name: "'Olga'",
  },
  offered_family: { family_id: '{family}' },
  expiry_notice: { object_id: '{token}', ends_at: at, days: '7', told_at: at },
  connector_test: { family_id: '{family}', at, notification_group: "'TEST'", token_name: "'ci'" },
  component_hash: { search_key: '9007199254740993', family_id: '{family}', number: '1' },
  vex_link: {
    family_id: '{family}',
    document_id: '{vex_document}',
    number: '1',
    place: '9',
    sbom_id: '{sbom}',
    is_product: 'false',
    purl: "'pkg:npm/other@1.0.0'",
  },
  vex_export: {
    family_id: '{family}',
    format: "'csaf'",
    document_id: '{vex_document}',
    exports: '3',
    first_at: at,
    last_at: at,
  },
  finding_turn: { finding_id: '{finding}', at, is_settled: 'true', family_id: '{family}' },
  family_day: {
    family_id: '{family}',
    day: "'2026-01-01'",
    counted_at: at,
    kev: '1',
    euvd: '2',
    exploited: '3',
    covered: '4',
    components: '5',
  },
  family_day_turn: { day: "'2026-01-01'" },
  coverage_day: {
    day: "'2026-01-01'",
    ecosystem: "'npm'",
    state: "'covered'",
    components: '5',
    counted_at: at,
  },
  incident_family: {
    incident_id: '{incident}',
    family_id: '{family}',
    is_open: 'false',
    is_exercise: 'true',
  },
  incident_affected: {
    incident_id: '{incident}',
    family_id: '{family}',
    identity_id: '(select identity_id from finding where workspace_id = :workspace limit 1)',
    group_id: '(select group_id from finding where workspace_id = :workspace limit 1)',
    vuln_key: "'CVE-2026-0001'",
    component: "'other'",
    listed_by: "'{kev}'",
    added_at: at,
    noted_verdict: "'fixed'",
  },
  suppressed_opening: {
    id: 'gen_random_uuid()',
    family_id: '{family}',
    identity_id: '(select identity_id from finding where workspace_id = :workspace limit 1)',
    group_id: '(select group_id from finding where workspace_id = :workspace limit 1)',
    vuln_key: "'CVE-2026-0001'",
    component: "'other'",
    document_id: '{vex_document}',
    statement: '1',
    verdict: "'not_affected'",
    since: at,
    ended_at: at,
  },
  report_draft: {
    report_id: '{regime_report}',
    fields_version: "'1'",
    field_values: `'{"summary":"Half written"}'`,
    revision: '4',
    saved_at: at,
    saved_by_name: "'Olga'",
  },
  dismissed_match: {
    id: 'gen_random_uuid()',
    family_id: '{family}',
    identity_id: '(select identity_id from finding where workspace_id = :workspace limit 1)',
    group_id: '(select group_id from finding where workspace_id = :workspace limit 1)',
    reason: "'Another one.'",
    dismissed_at: at,
    dismissed_by_name: "'Olga'",
  },
  identity_batch: {
    family_id: '{family}',
    sbom_id: '{sbom}',
    place: '0',
    ...Object.fromEntries(
      [
        'id',
        'ecosystem',
        'package_key',
        'subject',
        'version',
        'release',
        'stream',
        'scheme',
        'version_key',
      ].map((column) => [column, "''"]),
    ),
    key_generation: '3',
    decidability: "''",
    reason: "''",
    basis: "''",
  },
  incident_link: {
    one: '(select min(id::text)::uuid from incident where workspace_id = :workspace)',
    other: '(select max(id::text)::uuid from incident where workspace_id = :workspace)',
    linked_at: at,
  },
  inbox_entry: {
    id: 'gen_random_uuid()',
    report_id: '{inbox_report}',
    kind: "'state'",
    at,
    state: "'triaged'",
  },
  inbox_report_incident: { report_id: '{inbox_report}', incident_id: '{incident}', linked_at: at },
  acknowledgment: {
    id: 'gen_random_uuid()',
    report_id: '{inbox_report}',
    name: "'Ada'",
    day: "'2026-01-01'",
  },
  advisory_link: {
    advisory_id: '{advisory}',
    kind: "'incident'",
    object_id: '{incident}',
    linked_at: at,
    linked_by_name: "'Olga'",
  },
  alert_delivery: {
    id: 'gen_random_uuid()',
    destination_id: '{alert_destination}',
    event_id: 'gen_random_uuid()',
    type: "'incident.opened'",
    fact: `'{"incident":"INC-1"}'`,
    host: "'hooks.example'",
    state: "'failed'",
    created_at: at,
    attempts: '5',
    duration_ms: '12',
    status: '503',
    reason: "'HTTP 503'",
  },
}

const withoutWorkspace = new Set(['identity_key', 'expiry_notice', 'component_hash', 'finding_turn'])

/** Adds a row of the workspace to each of these tables, and the secret of a company's sign-in. */
export async function addRowsOfEveryTable(
  { db, sealing }: { db: Db; sealing: Sealing },
  workspaceId: string,
): Promise<void> {
  const written = (text: string) =>
    text
      .replace(/^\{person\}$/, '(select person_id from member where workspace_id = :workspace limit 1)')
      .replace(/^\{(\w+)\}$/, '(select id from $1 where workspace_id = :workspace order by id limit 1)')
      .replaceAll(':workspace', `'${workspaceId}'`)
  // a link needs two of them
  await sql`insert into incident
    select (jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'reference', 'INC-999'))).*
    from incident i where workspace_id = ${workspaceId} limit 1`.execute(db)
  for (const [table, columns] of Object.entries(rows)) {
    const all = withoutWorkspace.has(table) ? columns : { workspace_id: ':workspace', ...columns }
    await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(all).map((name) => sql.ref(name)))})
      select ${sql.raw(Object.values(all).map(written).join(', '))}`.execute(db)
  }
  const purpose = movedSealedColumns.find(({ table }) => table === 'single_sign_on')?.purpose
  if (purpose === undefined || sealing.ring === null) throw new Error('nothing seals the secret of a company')
  const id = randomUUID()
  const secret = seal(sealing.ring, { purpose, workspaceId, rowId: id }, Buffer.from('of the issuer'))
  await sql`insert into single_sign_on (id, workspace_id, issuer, client_id, client_secret_sealed, changed_at)
    values (${id}, ${workspaceId}, 'https://id.example', 'client', ${secret}, ${sql.raw(at)})`.execute(db)
}
