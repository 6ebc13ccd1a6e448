import { randomUUID } from 'node:crypto'
import type { RecordClass } from '../../src/contract/findings/shapes.ts'
import type { Severity } from '../../src/contract/sbom/shapes.ts'
import type { Db } from '../../src/database/connection.ts'
import { versionKey, type VersionScheme } from '../../src/versions/ordering.ts'
import { isLowestBound } from '../../src/versions/range.ts'
import { keyOf, packageKeyOf } from './parts.ts'
import { testNow } from './clock.ts'

export type Affected = {
  ecosystem: string
  name: string
  scheme: VersionScheme
  release?: string
  stream?: string
  /** [introduced, fixed], or [introduced, last affected, 'included'] */
  ranges?: readonly (readonly [string, string | null] | readonly [string, string, 'included'])[]
  listed?: readonly string[]
}

export type RecordFacts = {
  id: string
  affected: readonly Affected[]
  aliases?: readonly string[]
  /** Names several CVEs; none is an alias. */
  bundles?: readonly string[]
  upstream?: readonly string[]
  /** The group's title; records with one title form one vulnerability. */
  group?: string
  recordClass?: RecordClass
  severity?: Severity
  score?: number
  withdrawn?: boolean
  document?: unknown
}

/** Stores a record as an import does: importing it again replaces ranges and assertions. Returns its id. */
export async function addRecord(db: Db, facts: RecordFacts): Promise<number> {
  const groupId = await groupOf(db, facts)
  const values = {
    record_id: facts.id,
    source: `osv:${facts.affected[0]?.ecosystem ?? 'none'}`,
    group_id: groupId,
    class: facts.recordClass ?? 'vulnerability',
    summary: `Summary of ${facts.id}`,
    severity: facts.severity ?? 'high',
    score: facts.score ?? null,
    vector: null,
    published_at: testNow,
    modified_at: testNow,
    withdrawn_at: facts.withdrawn === true ? testNow : null,
    content_hash: randomUUID(),
    document: JSON.stringify(facts.document ?? documentOf(facts)),
    imported_at: testNow,
  } as const
  const { id } = await db
    .insertInto('vulnerability')
    .values(values)
    .onConflict((conflict) => conflict.column('record_id').doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceRanges(db, id, facts)
  await replaceAssertions(db, id, facts)
  return id
}

function documentOf({ id, affected, aliases }: RecordFacts): unknown {
  return {
    id,
    modified: testNow.toISOString(),
    aliases,
    affected: affected.map(({ ecosystem, release, name, listed }) => ({
      package: { ecosystem: release === undefined ? ecosystem : `${ecosystem}:${release}`, name },
      versions: listed ?? [],
    })),
    references: [{ type: 'ADVISORY', url: `https://advisories.example/${id}` }],
  }
}

async function groupOf(db: Db, facts: RecordFacts): Promise<number> {
  const { id, group = id, severity = 'high', score } = facts
  const isMalware = facts.recordClass === 'malware' && facts.withdrawn !== true
  const known = await db
    .selectFrom('vulnerability_group')
    .select('id')
    .where('title_id', '=', group)
    .executeTakeFirst()
  if (known !== undefined) {
    if (isMalware) {
      const values = { is_malware: true }
      await db.updateTable('vulnerability_group').set(values).where('id', '=', known.id).execute()
    }
    return known.id
  }
  const inserted = await db
    .insertInto('vulnerability_group')
    .values({
      title_id: group,
      summary: `Summary of ${group}`,
      severity,
      score: score ?? null,
      severity_source: id,
      is_malware: isMalware,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return inserted.id
}

async function replaceRanges(
  db: Db,
  vulnerabilityId: number,
  { affected, withdrawn }: RecordFacts,
): Promise<void> {
  await db.deleteFrom('affected_range').where('vulnerability_id', '=', vulnerabilityId).execute()
  if (withdrawn === true) return
  const rows = affected.flatMap((entry) => [
    ...(entry.ranges ?? []).map(([introduced, upper, included]) => ({
      ...placeOf(vulnerabilityId, entry),
      kind: 'range' as const,
      lower_key: isLowestBound(entry.scheme, introduced)
        ? emptyKeyOf(entry.scheme)
        : keyOf(entry.scheme, introduced),
      upper_key: upper === null ? null : keyOf(entry.scheme, upper),
      upper_included: included === 'included',
      introduced,
      upper_text: upper,
    })),
    ...(entry.listed ?? []).map((version) => ({
      ...placeOf(vulnerabilityId, entry),
      kind: 'listed' as const,
      lower_key: keyOf(entry.scheme, version),
      upper_key: keyOf(entry.scheme, version),
      upper_included: true,
      introduced: version,
      upper_text: version,
    })),
  ])
  if (rows.length > 0) await db.insertInto('affected_range').values(rows).execute()
}

function emptyKeyOf(scheme: VersionScheme): Buffer | null {
  return versionKey(scheme, '1.0') === null ? null : Buffer.alloc(0)
}

function placeOf(vulnerabilityId: number, { ecosystem, name, release = '', stream = '', scheme }: Affected) {
  return {
    vulnerability_id: vulnerabilityId,
    package_key: packageKeyOf(ecosystem, name),
    release,
    stream,
    scheme,
  }
}

async function replaceAssertions(db: Db, vulnerabilityId: number, facts: RecordFacts): Promise<void> {
  await db.deleteFrom('alias_assertion').where('vulnerability_id', '=', vulnerabilityId).execute()
  const row = (relation: 'self' | 'alias' | 'upstream', bridges: boolean) => (id: string) => ({
    vulnerability_id: vulnerabilityId,
    other_id: id,
    relation,
    bridges,
  })
  await db
    .insertInto('alias_assertion')
    .values([
      row('self', true)(facts.id),
      ...(facts.aliases ?? []).map(row('alias', true)),
      ...(facts.bundles ?? []).map(row('alias', false)),
      ...(facts.upstream ?? []).map(row('upstream', false)),
    ])
    .execute()
}

export async function addExploited(
  db: Db,
  entry: { source: 'kev' | 'euvd'; cveId?: string; euvdId?: string; removed?: boolean; seenAt?: Date },
): Promise<void> {
  await db
    .insertInto('exploited')
    .values({
      source: entry.source,
      cve_id: entry.cveId ?? null,
      euvd_id: entry.euvdId ?? null,
      name: 'Exploited',
      listed_on: '2025-12-01',
      first_seen_at: entry.seenAt ?? testNow,
      removed_at: entry.removed === true ? testNow : null,
      entry: '{}',
    })
    .execute()
}
