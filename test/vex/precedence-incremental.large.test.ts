import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verdicts, type VexTarget } from '../../src/contract/vex/shapes.ts'
import { decideFindings, revokeDecisions } from '../../src/findings/verdicts/decide-findings.ts'
import { rematch } from '../../src/findings/changes/rematch.ts'
import { refreshExpired } from '../../src/vex/decisions/end-decisions.ts'
import { restoreDocument, withdrawDocument } from '../../src/vex/documents/withdraw-document.ts'
import { compilerOf } from '../../src/vulndata/reading/compile-document.ts'
import { restoreVersion, retireVersion } from '../../src/products/versions.ts'
import { npm, type Part } from '../support/parts.ts'
import { addFamily, addSbom, addVersion, addWorkspace, type Family } from '../support/rows.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { fieldOf } from '../support/read-as.ts'
import { sendDocument } from './verdict-scene.ts'
import { importDocument } from '../support/import-document.ts'
import { enqueueJob, enqueueMatching } from '../support/enqueue-job.ts'
import { later } from '../support/clock.ts'
import { addActor } from '../support/actors.ts'

const names = ['left', 'right'] as const
const records = ['GHSA-aaaa-bbbb-cccc', 'GHSA-dddd-eeee-ffff', 'PYSEC-2024-1'] as const
const cves = ['CVE-2024-1', 'CVE-2024-2', 'CVE-2024-3'] as const
const ids = [...records, ...cves] as const

const uploadStep = fc.record({
  kind: fc.constant('upload' as const),
  family: fc.nat(1),
  version: fc.nat(2),
  parts: fc.uniqueArray(fc.nat(5), { minLength: 2, maxLength: 6 }),
})
const recordStep = fc.record({
  kind: fc.constant('record' as const),
  record: fc.nat(2),
  name: fc.nat(1),
  aliases: fc.uniqueArray(fc.nat(2), { maxLength: 2 }),
})
const said = fc.record({
  ids: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1, maxLength: 2 }),
  verdict: fc.constantFrom(...verdicts),
  target: fc.nat(5),
  day: fc.option(fc.nat(3)),
})
const documentStep = fc.record({
  kind: fc.constant('document' as const),
  family: fc.nat(1),
  version: fc.nat(2),
  source: fc.constantFrom('api' as const, 'sbom_hub' as const),
  said: fc.array(said, { minLength: 1, maxLength: 6 }),
})
const pick = fc.nat(9)
const decideStep = fc.record({
  kind: fc.constant('decide' as const),
  pick,
  verdict: fc.constantFrom(...verdicts),
  everyVersion: fc.boolean(),
  minutes: fc.option(fc.integer({ min: 1, max: 4 })),
})
const otherStep = fc.record({
  kind: fc.constantFrom(
    'revoke' as const,
    'withdraw' as const,
    'restore' as const,
    'retire' as const,
    'unretire' as const,
  ),
  pick,
})
const step = fc.oneof(
  { weight: 3, arbitrary: documentStep },
  { weight: 3, arbitrary: decideStep },
  { weight: 2, arbitrary: uploadStep },
  { weight: 2, arbitrary: recordStep },
  { weight: 3, arbitrary: otherStep },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

let database: TestDatabase
let families: Family[]
let versions: string[][]
let actor: { kind: 'person'; id: string; name: string }
let minute = 0

beforeAll(async () => {
  database = await createTestDatabase()
  const workspaceId = await addWorkspace(database.db, 'acme')
  actor = await addActor(database.db, workspaceId)
  families = [
    await addFamily(database.db, workspaceId, 'Pump'),
    await addFamily(database.db, workspaceId, 'Valve'),
  ]
  versions = []
  for (const family of families) {
    versions.push([await addVersion(database.db, family, '1'), await addVersion(database.db, family, '2')])
  }
})
afterAll(() => database.drop())

const part = (index: number): Part => npm(names[index % 2] ?? 'left', `${Math.floor(index / 2) + 1}.0.0`)

function targetsOf(index: number): VexTarget[] {
  const name = names[index % 2] ?? 'left'
  const choices: VexTarget[] = [
    { kind: 'component', purl: `pkg:npm/${name}` },
    { kind: 'component', purl: `pkg:npm/${name}@1.0.0` },
    { kind: 'product', purl: 'pkg:generic/pump' },
  ]
  return choices.slice(Math.floor(index / 2), Math.floor(index / 2) + 1)
}

function familyAt(index: number): Family {
  const family = families[index]
  if (family === undefined) throw new Error('no such family')
  return family
}

async function take(taken: Step, now: Date): Promise<void> {
  const { db } = database
  switch (taken.kind) {
    case 'upload': {
      const family = familyAt(taken.family)
      const versionId = versions[taken.family]?.[taken.version] ?? null
      const sbomId = await addSbom(db, family, { versionId, parts: taken.parts.map(part), now })
      return enqueueMatching(db, { ...family, sbomId }, now)
    }
    case 'record':
      return importRecord(taken, now)
    case 'document':
      return send(taken, now)
    case 'decide': {
      const [finding] = await pickRow(
        `select id from finding where closed_at is null order by id`,
        taken.pick,
      )
      if (finding === undefined) return
      const expiresAt =
        taken.minutes === null ? null : new Date(now.getTime() + taken.minutes * 60_000).toISOString()
      const word = { verdict: taken.verdict, comment: 'so', everyVersion: taken.everyVersion, expiresAt }
      await decideFindings(
        db,
        { workspaceId: familyAt(0).workspaceId, actor, now },
        { findingIds: [finding.id], ...word },
      )
      return
    }
    default:
      return change(taken, now)
  }
}

async function pickRow(select: string, pick: number): Promise<{ id: string }[]> {
  const { rows } = await database.pool.query<{ id: string }>(select)
  return rows.length === 0 ? [] : rows.slice(pick % rows.length, (pick % rows.length) + 1)
}

async function send(
  taken: typeof documentStep extends fc.Arbitrary<infer T> ? T : never,
  now: Date,
): Promise<void> {
  const family = familyAt(taken.family)
  await sendDocument(database.db, family, {
    versionId: versions[taken.family]?.[taken.version] ?? null,
    source: taken.source,
    now,
    statements: taken.said.map((one) => ({
      vulnerabilityIds: one.ids,
      verdict: one.verdict,
      targets: targetsOf(one.target),
      ...(one.day === null ? {} : { time: `2025-01-0${one.day + 1}T00:00:00.000Z` }),
    })),
  })
  const { workspaceId, familyId: key } = family
  await enqueueJob(database.db, { kind: 'refresh_findings', key, workspaceId, payload: family, runAt: now })
}

async function change(
  { kind, pick }: { kind: 'revoke' | 'withdraw' | 'restore' | 'retire' | 'unretire'; pick: number },
  now: Date,
) {
  const { db } = database
  const { workspaceId } = familyAt(0)
  const act = { workspaceId, actor, now }
  const acts = {
    revoke: async () => {
      const [row] = await pickRow('select id from verdict_decision where ended_at is null order by id', pick)
      if (row !== undefined) await revokeDecisions(db, act, { decisionId: row.id })
    },
    withdraw: async () => {
      const [row] = await pickRow(
        'select id from vex_document where withdrawn_at is null and replaced_by is null order by id',
        pick,
      )
      if (row !== undefined) await withdrawDocument(db, { ...act, documentId: row.id })
    },
    restore: async () => {
      const [row] = await pickRow(
        'select id from vex_document where withdrawn_at is not null or replaced_by is not null order by id',
        pick,
      )
      if (row !== undefined) await restoreDocument(db, { ...act, documentId: row.id })
    },
    retire: () => retireVersion(db, { ...act, ...familyAt(0), versionId: versions[0]?.[0] ?? '' }),
    unretire: () => restoreVersion(db, { ...act, ...familyAt(0), versionId: versions[0]?.[0] ?? '' }),
  }
  // Ending something twice is refused, which does not matter here.
  await acts[kind]().catch((error: unknown) =>
    expect(['not_found', 'conflict']).toContain(fieldOf(error, 'code')),
  )
}

async function importRecord(
  { record, name, aliases }: typeof recordStep extends fc.Arbitrary<infer T> ? T : never,
  now: Date,
): Promise<void> {
  const document = {
    id: records[record],
    modified: now.toISOString(),
    aliases: aliases.map((index) => cves[index]),
    affected: [
      {
        package: { ecosystem: 'npm', name: names[name] },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }],
      },
    ],
  }
  await importDocument(database.db, document, { compile: compilerOf('osv'), now })
}

async function stored(): Promise<{ verdict: string | null; verdict_decision_id: string | null }[]> {
  const { rows } = await sql<{ verdict: string | null; verdict_decision_id: string | null }>`
    select id, verdict, verdict_justification, verdict_decision_id, verdict_document_id, verdict_statement, verdict_since
    from finding where closed_at is null order by id`.execute(database.db)
  return rows
}

const reached = { decision: 0, document: 0 }

it('after every change the verdicts are those of a run from scratch', { timeout: 180_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      for (const taken of steps) {
        minute += 1
        const now = later(minute)
        await take(taken, now)
        await refreshExpired(database.db, now)
        await drain(database.db, now)
        const incremental = await stored()
        expect(await rematch(database.db, { now })).toMatchObject({ isConsistent: true, pendingJobs: 0 })
        await sql`
            update finding set verdict = null, verdict_justification = null, verdict_decision_id = null,
              verdict_document_id = null, verdict_statement = null, verdict_since = null`.execute(database.db)
        await rematch(database.db, { now })
        expect(incremental).toEqual(await stored())
        for (const row of incremental) {
          if (row.verdict !== null) reached[row.verdict_decision_id === null ? 'document' : 'decision'] += 1
        }
      }
    }),
    // The database carries over between runs, so shrinking would show nothing.
    { numRuns: 20, endOnFailure: true },
  )
  // The sequences reach states worth comparing.
  expect(reached.decision).toBeGreaterThan(20)
  expect(reached.document).toBeGreaterThan(20)
})
