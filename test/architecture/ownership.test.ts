import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findWrites } from './table-writes.ts'

const src = join(import.meta.dirname, '../../src')

/** The rooms that write a table. Others may join it for reading. Two writers need a reason. */
const owners: Record<string, string[]> = {
  // how members have to sign in is set with the sign-in settings
  workspace: ['workspace', 'people'],
  moved_address: ['workspace'],
  billing_subscription: ['workspace'],
  billing_event: ['workspace'],
  // created with the workspace, changed in the settings
  disclosure_settings: ['disclosure', 'provision'],
  offered_family: ['disclosure'],
  inbox_counter: ['disclosure'],
  inbox_report: ['disclosure'],
  inbox_entry: ['disclosure'],
  inbox_attachment: ['disclosure'],
  inbox_report_incident: ['disclosure'],
  used_form: ['disclosure'],
  disclosure_window: ['disclosure'],
  acknowledgment: ['disclosure'],
  // a move brings accounts, and groups of records that its findings name but this installation does not have
  person: ['people', 'move'],
  // deleted with their workspace, as are its tokens and its audit chain
  member: ['people', 'workspace'],
  session: ['people'],
  sign_in_window: ['people'],
  setup_link: ['people'],
  authenticator: ['people'],
  recovery_code: ['people'],
  sign_in_step: ['people'],
  single_sign_on: ['people'],
  workspace_domain: ['people'],
  company_link: ['people'],
  company_sign_in: ['people'],
  passkey: ['people'],
  passkey_challenge: ['people'],
  one_time_link: ['people'],
  sign_up: ['people'],
  invitation: ['people'],
  mail_request_window: ['people'],
  operator_link: ['workspace'],
  act_key: ['workspace'],
  operator_session: ['workspace'],
  // the number of the family's next component is in this row
  family: ['products', 'sbom'],
  family_badge: ['products'],
  product_facts: ['products'],
  product_version: ['products'],
  token: ['products', 'workspace'],
  token_use: ['products', 'workspace'],
  audit_event: ['audit'],
  audit_due: ['audit', 'workspace'],
  audit_link: ['audit', 'workspace'],
  audit_chain: ['audit', 'workspace'],
  // matching sets when an identity was matched, and repeats decisions of earlier releases; everything else is written with the SBOM
  component_identity: ['sbom', 'matching'],
  identity_key: ['sbom', 'matching'],
  identity_batch: ['sbom'],
  sbom: ['sbom'],
  component: ['sbom'],
  sbom_retention: ['sbom'],
  removed_sbom: ['sbom'],
  component_name: ['findings'],
  component_text: ['findings'],
  // rows of a deleted workspace that do not name the workspace are deleted with it, here and in the two below
  component_hash: ['findings', 'workspace'],
  component_search: ['findings'],
  sbom_inventory: ['findings'],
  data_source: ['vulndata'],
  unread_file: ['vulndata'],
  vulnerability_group: ['vulndata', 'move'],
  vulnerability: ['vulndata'],
  affected_range: ['vulndata'],
  binary_source: ['vulndata'],
  known_release: ['vulndata'],
  malware_digest: ['vulndata'],
  alias_assertion: ['vulndata'],
  exploited: ['vulndata'],
  euvd_mapping: ['vulndata'],
  epss: ['vulndata'],
  identity_match: ['matching'],
  finding: ['findings'],
  finding_turn: ['findings', 'workspace'],
  coverage_day: ['metrics'],
  family_day: ['metrics'],
  family_day_turn: ['metrics'],
  job: ['queue'],
  store_probe: ['platform'],
  original_object: ['originals'],
  finished_backup: ['backup'],
  verified_backup: ['backup'],
  connector_refusal: ['sbom'],
  connector_test: ['sbom'],
  vex_document: ['vex'],
  vex_statement: ['vex'],
  vex_claim: ['vex'],
  vex_target: ['vex'],
  vex_link: ['vex'],
  vex_export: ['vex'],
  verdict_decision: ['vex'],
  schema_migration: ['schema'],
  sealing_canary: ['platform'],
  alert_destination: ['alerts'],
  alert_delivery: ['alerts'],
  member_notices: ['notices'],
  bell_entry: ['notices'],
  mail: ['notices'],
  digest_turn: ['notices'],
  weekly_turn: ['notices'],
  expiry_notice: ['notices', 'workspace'],
  regime_settings: ['incidents'],
  incident_number: ['incidents'],
  incident: ['incidents'],
  incident_family: ['incidents'],
  incident_affected: ['incidents'],
  suppressed_opening: ['incidents'],
  incident_link: ['incidents'],
  incident_regime: ['incidents'],
  regime_report: ['incidents'],
  report_draft: ['incidents'],
  draft_editor: ['incidents'],
  submission: ['incidents'],
  determination: ['incidents'],
  awareness_change: ['incidents'],
  incident_entry: ['incidents'],
  incident_task: ['incidents'],
  dismissed_match: ['incidents'],
  advisory_feed: ['advisories'],
  advisory_number: ['advisories'],
  advisory: ['advisories'],
  advisory_draft: ['advisories'],
  advisory_version: ['advisories'],
  advisory_link: ['advisories'],
}

type Writers = { byTable: Map<string, Set<string>>; untold: string[] }

function findWriters(): Writers {
  const byTable = new Map<string, Set<string>>()
  const untold: string[] = []
  for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.name.endsWith('.test.ts')) continue
    const path = join(entry.parentPath, entry.name)
    const file = path.slice(src.length + 1)
    const room = file.split('/')[0] ?? ''
    const writes = findWrites(readFileSync(path, 'utf8'))
    untold.push(...writes.untold.map((statement) => `${file}: ${statement}`))
    for (const table of writes.tables) {
      if (table in owners) byTable.set(table, (byTable.get(table) ?? new Set()).add(room))
    }
  }
  return { byTable, untold }
}

describe('every table is written by its owner room only', () => {
  const { byTable: writers, untold } = findWriters()

  it('finds the writers', () => {
    expect(writers.get('verdict_decision')).toEqual(new Set(['vex']))
    expect(writers.get('session')).toEqual(new Set(['people']))
    expect(writers.size).toBeGreaterThan(15)
  })

  it.each([...writers])('%s', (table, rooms) => {
    expect([...rooms].filter((room) => !owners[table]?.includes(room))).toEqual([])
  })

  it('every statement tells which table it writes', () => {
    // the tables with rows of a workspace are read from the database; those that move are listed in src/move/tables.ts; rooms declare their
    // own rows that name originals, those that go with a deleted family, and those that a process holds for a while
    expect(untold).toEqual([
      'database/delete-of-family.ts: deleteFrom(table)',
      'move/identities.ts: INSERT INTO ${name}',
      'move/sealed.ts: UPDATE ${staged}',
      'move/write-rows.ts: INSERT INTO ${name}',
      'originals/original-column.ts: update ${sql.table(table)}',
      'queue/lease.ts: update ${held}',
      'workspace/closing/delete-rows.ts: delete from ${name}',
      'workspace/closing/delete-rows.ts: delete from ${sql.table(table)}',
    ])
  })

  it('knows every table of the schema', () => {
    const schema = readFileSync(join(src, '../database/schema.sql'), 'utf8')
    const tables = [...schema.matchAll(/^CREATE TABLE ([a-z_]+) \(/gm)].map(([, table]) => table)
    expect(Object.keys(owners).sort()).toEqual(tables.sort())
  })

  it('keeps the rows of every table in the file of its owner', () => {
    const named = readdirSync(join(src, 'database/tables')).flatMap((file) => {
      const tables = readFileSync(join(src, 'database/tables', file), 'utf8')
      return [...tables.matchAll(/^ {2}([a-z_]+): [A-Za-z]+Table$/gm)].map(([, table = '']) => ({
        table,
        room: file.replace('.ts', ''),
      }))
    })
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter(({ table, room }) => !owners[table]?.includes(room))).toEqual([])
  })
})

describe('the writes of a text', () => {
  it.each([
    ['one table', "db.deleteFrom('job').execute()", ['job']],
    ['a table in SQL', 'sql`delete from finding f using gone`', ['finding']],
    ['rows copied', "copyInto<Row>(tx, {\n  table: 'epss',", ['epss']],
    ['a loop', "for (const table of ['sbom', 'job'] as const) await db.deleteFrom(table)", ['sbom', 'job']],
    [
      'a loop with the call on a line of its own',
      "for (const table of [\n  'sbom',\n  'job',\n] as const) {\n  await db\n    .deleteFrom(table)\n}",
      ['sbom', 'job'],
    ],
    [
      'a loop over a constant',
      "const gone = ['sbom'] as const\nfor (const table of gone) await db.deleteFrom(table)",
      ['sbom'],
    ],
    ['rows of a family', "deleteOfFamily(tx, ['sbom', 'job'], family)", ['sbom', 'job']],
    [
      'rows of a family, from a constant',
      "const gone = ['sbom'] as const\nawait deleteOfFamily(db, gone, family)",
      ['sbom'],
    ],
    ['a loop over SQL', "for (const name of ['token']) await sql`delete from ${sql.table(name)}`", ['token']],
  ])('%s', (_, text, tables) => {
    expect(findWrites(text)).toEqual({ tables: new Set(tables), untold: [] })
  })

  it.each([
    'db.deleteFrom(table)',
    'for (const table of tables) db.deleteFrom(table)',
    'sql`delete from ${table}`',
    'deleteOfFamily(db, tables, family)',
  ])('cannot be told: %s', (text) => {
    expect(findWrites(text).untold).toHaveLength(1)
  })
})
