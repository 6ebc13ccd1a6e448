import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = join(import.meta.dirname, '../../src')

/** Which rooms write a table. Others may join it for reading. Two rooms need a reason. */
const owners: Record<string, string[]> = {
  workspace: ['workspace'],
  disclosure_settings: ['workspace'],
  person: ['workspace'],
  member: ['workspace'],
  session: ['workspace'],
  sign_in_window: ['workspace'],
  setup_link: ['workspace'],
  family: ['workspace', 'sbom'],
  product_version: ['workspace'],
  token: ['workspace'],
  token_use: ['workspace'],
  audit_event: ['workspace'],
  // matching notes when an identity was matched; everything else about it is written with the SBOM that brings it
  component_identity: ['sbom', 'matching', 'findings'],
  identity_batch: ['sbom'],
  sbom: ['sbom'],
  component: ['sbom'],
  component_name: ['findings'],
  component_text: ['findings'],
  component_hash: ['findings'],
  component_search: ['findings'],
  sbom_inventory: ['findings'],
  data_source: ['vulndata'],
  vulnerability_group: ['vulndata'],
  vulnerability: ['vulndata'],
  affected_range: ['vulndata'],
  alias_assertion: ['vulndata'],
  exploited: ['vulndata'],
  euvd_mapping: ['vulndata'],
  epss: ['vulndata'],
  identity_match: ['matching'],
  finding: ['findings'],
  finding_turn: ['findings'],
  job: ['platform'],
  store_probe: ['platform'],
  connector_refusal: ['sbom'],
  connector_test: ['sbom'],
  vex_document: ['vex'],
  vex_statement: ['vex'],
  vex_claim: ['vex'],
  vex_target: ['vex'],
  vex_link: ['vex'],
  vex_export: ['vex'],
  verdict_decision: ['vex'],
  schema_migration: ['database'],
}

const writePatterns = [
  /\b(?:insertInto|updateTable|deleteFrom)\(\s*'([a-z_]+)/g,
  /\binsert into\s+([a-z_]+)\s*(?:\(|select|as )/gi,
  /\bdelete from\s+([a-z_]+)/gi,
  /(?:^|[\s(`'"])update\s+([a-z_]+)\s+(?:as\s+)?(?:[a-z_]+\s+)?set\b/gi,
]

function findWriters(): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>()
  for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts') || entry.name.endsWith('.test.ts')) continue
    const path = join(entry.parentPath, entry.name)
    const room = path.slice(src.length + 1).split('/')[0] ?? ''
    const text = readFileSync(path, 'utf8')
    for (const pattern of writePatterns) {
      for (const [, table = ''] of text.matchAll(pattern)) {
        if (!(table in owners)) continue
        writers.set(table, (writers.get(table) ?? new Set()).add(room))
      }
    }
  }
  return writers
}

describe('every table is written by its owner room only', () => {
  const writers = findWriters()

  it('finds the writers', () => {
    expect(writers.get('token')).toEqual(new Set(['workspace']))
    expect(writers.size).toBeGreaterThan(15)
  })

  it.each([...writers])('%s', (table, rooms) => {
    expect([...rooms].filter((room) => !owners[table]?.includes(room))).toEqual([])
  })

  it('knows every table', () => {
    const tables = readFileSync(join(src, 'database/tables.ts'), 'utf8')
    const named = [...tables.matchAll(/^ {2}([a-z_]+): [A-Za-z]+Table$/gm)].map(([, name]) => name)
    expect(named.filter((name) => name !== undefined && !(name in owners))).toEqual([])
  })
})
