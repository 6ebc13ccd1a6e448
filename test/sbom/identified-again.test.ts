import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { identifyEarlier, startIdentifying } from '../../src/cli/start-identifying.ts'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import { identityGeneration } from '../../src/identities/identify.ts'
import { originalsInDatabase } from '../../src/originals/originals.ts'
import type { Parser } from '../../src/parser/client.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { startInnerParser } from '../support/inner-parser.ts'
import { addIdentity, maven } from '../support/rows.ts'
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

async function upgraded(): Promise<number> {
  const { db } = scene.database
  const signal = new AbortController().signal
  const read = await identifyEarlier({
    db,
    now: () => testNow,
    log,
    originals: originalsInDatabase,
    parser,
    signal,
  })
  await drain(db, testNow)
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

it('keeps the components whose identities stay the same', async () => {
  const key = await uploaded(other)
  await asStoredEarlier(key)
  const before = await row(key.sbomId)
  expect(await upgraded()).toBe(1)
  expect(await row(key.sbomId)).toEqual({ ...before, identity_generation: identityGeneration })
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

it('does not keep a process from stopping while a large file is read', async () => {
  const { db } = scene.database
  const key = await uploaded(stamp)
  await asStoredEarlier(key)
  const begun = Promise.withResolvers<true>()
  const slow: Parser = {
    ...parser,
    run: () => {
      begun.resolve(true)
      return new Promise(() => undefined)
    },
  }
  const identifying = startIdentifying({
    db,
    now: () => testNow,
    log,
    originals: originalsInDatabase,
    parser: slow,
  })
  await begun.promise
  const asked = performance.now()
  await identifying.stop()
  expect(performance.now() - asked).toBeLessThan(4_000)
  expect(await row(key.sbomId)).toMatchObject({ identity_generation: 0 })
})
