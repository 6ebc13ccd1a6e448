import { randomUUID } from 'node:crypto'
import pino, { type Logger } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { identifyEarlier, startIdentifying } from '../../src/cli/stored-files/start-identifying.ts'
import { refreshVersions } from '../../src/findings/refresh/refresh-findings.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import { identityGeneration } from '../../src/identities/identify.ts'
import { originalsInDatabase } from '../../src/originals/originals.ts'
import type { Parser } from '../../src/parser/client.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { startInnerParser } from '../support/inner-parser.ts'
import { addIdentity, maven } from '../support/parts.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { loadRecords } from '../matching/match-support.ts'
import { record } from '../vulndata/support.ts'

/** SBOMs that an earlier release stored, whose rules gave components other identities. */

let scene: UploadScene
let parser: Parser
const log = pino({ level: 'silent' })

beforeAll(async () => {
  scene = await UploadScene.open()
  parser = startInnerParser({ ...scene.database, log, now: () => testNow })
  await loadRecords(scene.database.db, record('GHSA-stmp-0000-0001', 'Maven/g:stamp', { fixed: '2.0' }))
})
afterAll(async () => {
  await parser.close(1_000)
  await scene.close()
})

const stamp = { type: 'library', name: 'stamp', purl: 'pkg:maven/g/stamp@2.0-20240101.010101-1' }
const other = { type: 'library', name: 'other', purl: 'pkg:maven/g/other@1.0' }

async function uploaded(...components: object[]): Promise<{ workspaceId: string; sbomId: string }> {
  const { id: sbomId } = await scene.uploaded(cyclonedx({ version: scene.serial(), components }))
  await drain(scene.database.db, testNow)
  return { workspaceId: scene.company.workspaceId, sbomId }
}

const row = (sbomId: string) => scene.sbomRow(sbomId)

/** As a release left it that compared the time in the version of a snapshot, and had other hashes. */
async function asStoredEarlier({ sbomId }: { sbomId: string }): Promise<void> {
  const { db } = scene.database
  const { family_id: familyId, component_numbers: numbers } = await row(sbomId)
  const old = await addIdentity(db, maven('g:stamp', '2.0-20240101.010101-1'))
  for (const number of numbers) {
    const ofFamily = db
      .updateTable('component')
      .where('family_id', '=', familyId)
      .where('number', '=', number)
    await ofFamily.set({ hash: randomUUID() }).execute()
    await ofFamily.where('name', '=', 'stamp').set({ identity_id: old }).execute()
  }
  await db.updateTable('sbom').set({ identity_generation: 0 }).where('id', '=', sbomId).execute()
  await db.deleteFrom('finding').where('family_id', '=', familyId).execute()
}

/** What the earlier release found. */
async function foundEarlier(familyId: string): Promise<void> {
  const { workspaceId } = scene.company
  await refreshVersions(scene.database.db, { workspaceId, familyId }, testNow)
}

/** What the process that identifies has. */
const process = () => ({
  db: scene.database.db,
  now: () => testNow,
  log,
  originals: originalsInDatabase,
  parser,
})

type Others = { log?: Logger; parser?: Parser; unreadable?: Set<string> }

async function upgraded({ unreadable = new Set(), ...others }: Others = {}): Promise<number> {
  const signal = new AbortController().signal
  const read = await identifyEarlier({ ...process(), ...others, signal, unreadable })
  await drain(scene.database.db, testNow)
  return read
}

async function seen(key: { workspaceId: string; sbomId: string }) {
  const { db } = scene.database
  const { rows } = await listFindings(db, key)
  const query = { search: undefined, sort: 'name', cursor: undefined } as const
  const components = await listComponents(db, { ...key, ...query })
  return {
    found: rows.map(({ title, grade, component }) => `${title} ${grade} ${component.name}`),
    states: components.rows.map(({ name, decidability }) => `${name} ${decidability}`),
    coverage: await db
      .selectFrom('sbom_inventory')
      .select('coverage')
      .where('sbom_id', '=', key.sbomId)
      .execute(),
  }
}

it('has the findings, components and coverage that it would have if it were uploaded now', async () => {
  const key = await uploaded(stamp, other)
  const fresh = await seen(key)
  expect(fresh.found).toEqual(['GHSA-stmp-0000-0001 exact stamp'])
  await asStoredEarlier(key)
  expect((await seen(key)).found).toEqual([])
  expect(await upgraded()).toBe(1)
  expect(await seen(key)).toEqual(fresh)
  expect(await row(key.sbomId)).toMatchObject({ identity_generation: identityGeneration, status: 'matched' })
  expect(await upgraded()).toBe(0)
})

it('is done once where two processes are at it, and findings of identities that stay keep when they were first seen', async () => {
  const { db } = scene.database
  await loadRecords(db, record('GHSA-stay-0000-0001', 'Maven/g:stay', { fixed: '2.0' }))
  const stay = { type: 'library', name: 'stay', purl: 'pkg:maven/g/stay@1.0' }
  const key = await uploaded(stamp, stay)
  const { family_id: familyId, component_numbers: numbers } = await row(key.sbomId)
  await asStoredEarlier(key)
  const earlier = { first_seen_at: new Date('2025-01-01T00:00:00Z') }
  await foundEarlier(familyId)
  await db.updateTable('finding').set(earlier).where('family_id', '=', familyId).execute()
  await Promise.all([upgraded(), upgraded()])
  const after = await row(key.sbomId)
  expect(after.component_numbers).toHaveLength(numbers.length)
  const { rows } = await listFindings(db, key)
  expect(rows.map(({ title, firstSeenAt }) => [title, firstSeenAt])).toEqual([
    ['GHSA-stay-0000-0001', '2025-01-01T00:00:00.000Z'],
    ['GHSA-stmp-0000-0001', testNow.toISOString()],
  ])
})

it('keeps the components whose identities stay the same', async () => {
  const key = await uploaded(other)
  await asStoredEarlier(key)
  const before = await row(key.sbomId)
  expect(await upgraded()).toBe(1)
  expect(await row(key.sbomId)).toEqual({ ...before, identity_generation: identityGeneration })
})

it('has the digests of its files that the earlier release did not read', async () => {
  const { db } = scene.database
  const digest = 'ab'.repeat(64)
  const affected = [
    {
      package: { ecosystem: 'npm', name: 'evil' },
      versions: ['1.0.0'],
      database_specific: { indicators: { package_integrity: [{ hashes: { sha512: digest } }] } },
    },
  ]
  await loadRecords(db, { id: 'MAL-2026-1', modified: '2026-01-01T00:00:00Z', affected })
  const externalReferences = [
    {
      type: 'distribution',
      url: 'https://registry.example/a.tgz',
      hashes: [{ alg: 'SHA-512', content: digest }],
    },
  ]
  const key = await uploaded({ ...other, externalReferences })
  const fresh = await seen(key)
  expect(fresh.found).toEqual(['MAL-2026-1 exact other'])
  await asStoredEarlier(key)
  const { family_id: familyId, component_numbers: numbers } = await row(key.sbomId)
  await db
    .updateTable('component')
    .set({ hashes: [] })
    .where('family_id', '=', familyId)
    .where('number', 'in', numbers)
    .execute()
  expect(await upgraded()).toBe(1)
  expect(await seen(key)).toEqual(fresh)
  expect(await row(key.sbomId)).toMatchObject({ identity_generation: identityGeneration, status: 'matched' })
})

it('stays as it is when it has been replaced, or cannot be read any more; others are read', async () => {
  const { db } = scene.database
  const replaced = await uploaded(stamp)
  await asStoredEarlier(replaced)
  const broken = await uploaded(stamp, { type: 'library', name: 'broken' })
  await asStoredEarlier(broken)
  const of = (sbomId: string) => db.updateTable('sbom').where('id', '=', sbomId)
  await of(broken.sbomId)
    .set({ raw: Buffer.from('no SBOM') })
    .execute()
  const version = { query: '', headers: { 'x-service-version': 'later' } }
  const { id } = await scene.uploaded(cyclonedx({ version: scene.serial(), components: [stamp] }), version)
  await drain(db, testNow)
  await asStoredEarlier({ sbomId: id })
  expect(await upgraded()).toBe(1)
  expect(await row(replaced.sbomId)).toMatchObject({ active: false, identity_generation: 0 })
  expect(await row(broken.sbomId)).toMatchObject({ active: true, identity_generation: 0, status: 'matched' })
  expect(await row(id)).toMatchObject({ identity_generation: identityGeneration })
})

it('tells in one line of a round what it could not read, and leaves alone what never can be', async () => {
  const { db } = scene.database
  for (const name of ['one', 'two']) {
    const version = { query: '', headers: { 'x-service-version': name } }
    const { id } = await scene.uploaded(cyclonedx({ version: scene.serial(), components: [other] }), version)
    await drain(db, testNow)
    await asStoredEarlier({ sbomId: id })
    const broken = { raw: Buffer.from('no SBOM') }
    await db.updateTable('sbom').set(broken).where('id', '=', id).execute()
  }
  const lines: string[] = []
  const told = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
  const unreadable = new Set<string>()
  expect(await upgraded({ log: told, unreadable })).toBe(0)
  expect(lines).toHaveLength(1)
  expect(unreadable.size).toBeGreaterThan(1)
  let asked = 0
  const counting: Parser = { ...parser, run: (job) => ((asked += 1), parser.run(job)) }
  expect(await upgraded({ log: told, unreadable, parser: counting })).toBe(0)
  expect([asked, lines.length]).toEqual([0, 1])
})

it('stays as it is when its workspace stops being monitored, or its family is archived, while it is read', async () => {
  const { db } = scene.database
  const { workspaceId, sbomId } = await uploaded(stamp)
  const { family_id: familyId } = await row(sbomId)
  const workspace = db.updateTable('workspace').where('id', '=', workspaceId)
  const family = db.updateTable('family').where('id', '=', familyId)
  for (const set of [
    (at: Date | null) => workspace.set({ moving_at: at }).execute(),
    (at: Date | null) => workspace.set({ suspended_at: at }).execute(),
    (at: Date | null) => family.set({ archived_at: at }).execute(),
  ]) {
    await asStoredEarlier({ sbomId })
    const before = await row(sbomId)
    const during: Parser = {
      ...parser,
      run: async (job) => {
        await set(testNow)
        return parser.run(job)
      },
    }
    await upgraded({ parser: during })
    expect(await row(sbomId)).toEqual(before)
    await set(null)
  }
  await upgraded()
  expect(await row(sbomId)).toMatchObject({ identity_generation: identityGeneration })
})

it('stops at once, whatever is being read', async () => {
  await asStoredEarlier(await uploaded(stamp))
  const reading = Promise.withResolvers<undefined>()
  const endless: Parser = {
    ...parser,
    run: () => {
      reading.resolve(undefined)
      return new Promise(() => undefined)
    },
  }
  const identifying = startIdentifying({ ...process(), parser: endless })
  await reading.promise
  await identifying.stop()
  expect(await upgraded()).toBe(1)
})
