/** How the rows of a table travel. Names are those of the schema; conditions are SQL on the row, in which `:workspace` is the workspace's id. */
export type MovedTable = {
  name: string
  /** Which rows; without it those whose `workspace_id` is the workspace. */
  rows?: string
  /** The columns, where some stay behind. */
  columns?: readonly string[]
  /** Columns that arrive with another value than they left with: SQL on the row. */
  arrives?: Readonly<Record<string, string>>
  /** A number that the target gives itself, in the order of the old ones. */
  renumbered?: string
  /**
   * Of rows that are the same row at the target, which stays: columns of its key and the order in which one is preferred, SQL on the row `m`. `least`:
   * columns in which it gets the least value of them all, the earliest time.
   */
  merged?: { key: readonly string[]; order: string; least?: readonly string[] }
  /** The part of the table that stays behind, and why: shown by the export, and in the guide. */
  stays?: string
}

const families = `(select id from family where workspace_id = :workspace)`
const tokens = `(select id from token where workspace_id = :workspace)`

/** Where the ids of identities are: what else names one belongs to one of these. */
const identities = ['component', 'finding', 'incident_affected', 'suppressed_opening', 'dismissed_match']
  .map((table) => `select identity_id from ${table} where workspace_id = :workspace`)
  .join(' union ')

const plain = (...names: string[]): MovedTable[] => names.map((name) => ({ name }))

/**
 * Every table that moves, in an order in which each refers to earlier ones only. Those that refer to each other are one entry: their rows
 * are written by one statement: references are judged when it ends.
 */
export const movedTables: readonly (readonly MovedTable[])[] = [
  ...[
    {
      name: 'component_identity',
      rows: `id in (${identities})`,
      arrives: { matched_at: 'null', is_named: 'null', uncovered_at: 'null' },
    },
    { name: 'identity_key', rows: `identity_id in (${identities})`, arrives: { is_named: 'null' } },
    {
      name: 'workspace',
      rows: `id = :workspace`,
      arrives: { requires_single_sign_on: 'false' },
      stays: 'that everybody has to sign in with the company: its domains are proven again first',
    },
    ...plain('member', 'member_notices', 'digest_turn', 'weekly_turn'),
    { name: 'bell_entry' },
    {
      name: 'invitation',
      arrives: { link_id: 'null' },
      stays: 'links in mail, which lead to the old address: members send an invitation again',
    },
    { name: 'single_sign_on' },
    {
      name: 'workspace_domain',
      arrives: { verified_at: 'null' },
      stays: 'that a domain was proven: the target asks the DNS itself',
    },
    ...plain('disclosure_settings', 'regime_settings', 'advisory_feed', 'advisory_number', 'incident_number'),
    { name: 'inbox_counter' },
  ].map((table) => [table]),
  plain('family', 'product_version'),
  ...[
    ...plain('family_badge', 'product_facts', 'sbom_retention', 'offered_family', 'token'),
    { name: 'token_use', rows: `token_id in ${tokens}` },
    { name: 'expiry_notice', rows: `object_id = :workspace or object_id in ${tokens}` },
    ...plain('component_search', 'connector_test', 'connector_refusal', 'component'),
    { name: 'component_hash', rows: `family_id in ${families}` },
    ...plain('component_name', 'component_text', 'sbom', 'identity_batch'),
    {
      name: 'sbom_inventory',
      arrives: { coverage: 'null' },
      stays: 'coverage: it is counted by the data of the target',
    },
    ...plain('removed_sbom', 'vex_document', 'vex_statement', 'vex_claim', 'vex_target', 'vex_link'),
    ...plain('vex_export', 'verdict_decision'),
    {
      name: 'finding',
      merged: {
        key: ['family_id', 'version_id', 'identity_id', 'group_id'],
        order: 'm.closed_at is not null, m.first_seen_at, m.id',
        least: ['first_seen_at', 'first_verdict_at', 'malware_told_at'],
      },
    },
    { name: 'finding_turn', rows: `family_id in ${families}`, renumbered: 'id' },
    ...plain(
      'family_day',
      'family_day_turn',
      'coverage_day',
      'incident',
      'incident_family',
      'incident_affected',
    ),
    ...plain('suppressed_opening', 'incident_link', 'incident_regime', 'regime_report', 'report_draft'),
    ...plain('submission', 'determination', 'awareness_change'),
    { name: 'incident_entry', renumbered: 'id' },
    { name: 'incident_task' },
    {
      name: 'dismissed_match',
      merged: {
        key: ['workspace_id', 'family_id', 'version_id', 'identity_id', 'group_id'],
        order: 'm.dismissed_at, m.id',
      },
    },
    { name: 'inbox_report' },
    { name: 'inbox_entry', renumbered: 'number' },
    ...plain('inbox_attachment', 'inbox_report_incident', 'acknowledgment'),
  ].map((table) => [table]),
  plain('advisory', 'advisory_version'),
  ...[
    ...plain('advisory_draft', 'advisory_link'),
    { name: 'alert_destination', renumbered: 'number' },
    {
      name: 'alert_delivery',
      rows: `workspace_id = :workspace and state in ('sent', 'failed', 'not_sent')`,
      stays: 'what was not delivered yet: the source delivers it',
    },
    { name: 'audit_event' },
    { name: 'audit_link', rows: `chain = :workspace` },
    { name: 'audit_chain', rows: `chain = :workspace` },
  ].map((table) => [table]),
]

const ofPeople = 'belongs to a person, who signs in again at the target'
const shared = 'vulnerability data, which the target fetches itself'
const short = 'limits of the last minutes'
const installation = 'of the installation, not of a workspace'

/** Every other table, with the reason why its rows stay behind. */
export const leftOutTables: Readonly<Record<string, string>> = {
  person: 'accounts are found by their address at the target, or made without a password',
  session: ofPeople,
  authenticator: ofPeople,
  recovery_code: ofPeople,
  passkey: ofPeople,
  passkey_challenge: ofPeople,
  sign_in_step: ofPeople,
  sign_in_window: short,
  mail_request_window: short,
  disclosure_window: short,
  used_form: short,
  act_key: 'what acts of the last day answered',
  original_object:
    'where originals lie at the source: they travel, and the target keeps them where it keeps its own',
  draft_editor: 'who has a draft open at the moment',
  one_time_link: 'links in mail, which lead to the old address',
  sign_up: 'a sign-up that is not finished has no workspace',
  company_link: 'who is who at the company is asked again at the first sign-in with it',
  company_sign_in: 'a sign-in that is under way',
  setup_link: installation,
  moved_address: installation,
  operator_link: installation,
  operator_session: installation,
  billing_subscription: 'subscriptions are with the payment provider of the source',
  billing_event: installation,
  job: 'what waits is done by the source before the export, or is worked out at the target',
  mail: 'messages: the source sends them',
  audit_due: 'events are chained before the export; those of the import are at the target',
  vulnerability_group: 'the groups that findings name travel by their ids, and are those of the target',
  vulnerability: shared,
  affected_range: shared,
  binary_source: shared,
  known_release: shared,
  malware_digest: shared,
  alias_assertion: shared,
  exploited: shared,
  euvd_mapping: shared,
  epss: shared,
  data_source: shared,
  unread_file: shared,
  identity_match: 'worked out by the data of the target',
  store_probe: installation,
  finished_backup: installation,
  verified_backup: installation,
  schema_migration: installation,
  sealing_canary: installation,
}

export const movedNames: readonly string[] = movedTables.flat().map(({ name }) => name)

/** Of a list of rows: SQL with the id of the workspace written out, which is a UUID. */
export function conditionOf({ rows = 'workspace_id = :workspace' }: MovedTable, workspaceId: string): string {
  return rows.replaceAll(':workspace', `'${workspaceId}'`)
}

/** What stays behind of a workspace, with the reason, by table: shown by the export. */
export function leftBehind(): Record<string, string> {
  const parts = movedTables
    .flat()
    .flatMap(({ name, stays }) => (stays === undefined ? [] : [[name, stays] as const]))
  const whole = Object.entries(leftOutTables).filter(
    ([, reason]) => reason !== installation && reason !== shared,
  )
  return Object.fromEntries([...parts, ...whole].sort(([one], [other]) => one.localeCompare(other)))
}
