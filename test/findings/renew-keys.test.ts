import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keyGeneration } from '../../src/versions/ordering.ts'
import { selectCoverage } from '../../src/inventory/coverage/coverage.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { findingsSchedule } from '../../src/findings/scheduled.ts'
import { refreshFamilyFindings } from '../../src/findings/refresh/refresh-findings.ts'
import { enqueueKeyRenewal, renewVersionKeys } from '../../src/findings/changes/renew-keys.ts'
import { selectWorkspaceCoverage } from '../../src/inventory/coverage/workspace-coverage.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { testSealing } from '../support/http.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { addRecord } from '../support/records.ts'
import { addIdentity, keyOf, maven, npm } from '../support/parts.ts'
import { addFamily, addSbom, addWorkspace, openFindings, type Family } from '../support/rows.ts'
import { later, testNow } from '../support/clock.ts'

const pump = npm('pump', '1.5.0')
const valve = npm('valve', '1.0.0')
const relay = maven('org:relay', '1.0')

let database: TestDatabase
let family: Family
let sbomId: string
let ids: { pump: string; valve: string; relay: string }

beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  family = await addFamily(db, await addWorkspace(db, 'acme'), 'Station')
  await addRecord(db, {
    id: 'GHSA-pump',
    affected: [{ ecosystem: 'npm', name: 'pump', scheme: 'semver', ranges: [['1.0.0', '2.0.0']] }],
  })
  await addRecord(db, {
    id: 'GHSA-valve',
    affected: [{ ecosystem: 'npm', name: 'valve', scheme: 'semver', ranges: [['1.0.0', '2.0.0']] }],
  })
  sbomId = await addSbom(db, family, { parts: [pump, valve, relay] })
  ids = {
    pump: await addIdentity(db, pump),
    valve: await addIdentity(db, valve),
    relay: await addIdentity(db, relay),
  }
})
afterAll(() => database.drop())

/** As left by an earlier release: the pump's key sorts above every fix, and the valve's version had no known order. */
beforeEach(async () => {
  const { db } = database
  const old = { key_generation: keyGeneration - 1, matched_at: null }
  await db
    .updateTable('component_identity')
    .set({ ...old, version_key: keyOf('semver', '9.0.0') })
    .where('id', '=', ids.pump)
    .execute()
  await db
    .updateTable('component_identity')
    .set({ ...old, version_key: null, decidability: 'uncomparable', reason: 'No order.' })
    .where('id', '=', ids.valve)
    .execute()
  await db.updateTable('component_identity').set(old).where('id', '=', ids.relay).execute()
  await sql`truncate sbom_inventory, identity_match, job`.execute(db)
  await matchSbom(db, { ...family, sbomId, now: testNow })
  expect(await titles()).toEqual([])
  await db.deleteFrom('job').execute()
})

const titles = async () => (await openFindings(database.db, family)).map(({ title }) => title)

const messages: string[] = []
const log = { info: (fields: unknown) => messages.push(JSON.stringify(fields)) }

const jobs = () => database.db.selectFrom('job').select(['kind', 'key']).orderBy('kind').execute()

async function generations(): Promise<number[]> {
  const rows = await database.db
    .selectFrom('component_identity')
    .select('key_generation')
    .distinct()
    .execute()
  return rows.map((row) => row.key_generation)
}

describe('version keys of an earlier release', () => {
  it('are computed again, and results, findings and coverage follow', async () => {
    const { db } = database
    await renewVersionKeys(db, { now: later(1), log })
    expect(await generations()).toEqual([keyGeneration])
    const rows = await db.selectFrom('component_identity').selectAll().orderBy('subject').execute()
    expect(
      rows.map(({ subject, version_key, decidability, reason }) => [
        subject,
        version_key,
        decidability,
        reason,
      ]),
    ).toEqual([
      ['org:relay', null, 'covered', null],
      ['pump', keyOf('semver', '1.5.0'), 'covered', null],
      ['valve', keyOf('semver', '1.0.0'), 'covered', null],
    ])
    expect(await jobs()).toEqual([{ kind: 'refresh_findings', key: family.familyId }])
    await refreshFamilyFindings(db, { ...family, now: later(1) })
    expect(await titles()).toEqual(['GHSA-pump', 'GHSA-valve'])

    const { workspaceId } = family
    const undecided = { uncomparable: 0, dataNotLoaded: 3 }
    expect(await selectCoverage(db, { workspaceId, sbomId })).toMatchObject(undecided)
    expect((await selectWorkspaceCoverage(db, workspaceId, testNow)).coverage).toMatchObject(undecided)
    expect(messages.at(-1)).toBe('{"done":3,"total":3}')
  })

  it('renewed twice change nothing the second time', async () => {
    await renewVersionKeys(database.db, { now: later(1), log })
    const before = await sql`select xmin::text, * from component_identity order by id`.execute(database.db)
    await renewVersionKeys(database.db, { now: later(2), log })
    const after = await sql`select xmin::text, * from component_identity order by id`.execute(database.db)
    expect(after.rows).toEqual(before.rows)
  })

  it('are ordered to be renewed once, and not when there are none', async () => {
    const { db } = database
    const order = () => db.transaction().execute((tx) => enqueueKeyRenewal(tx, testNow))
    await order()
    await order()
    expect(await jobs()).toEqual([{ kind: 'renew_version_keys', key: 'all' }])
    await renewVersionKeys(db, { now: later(1), log })
    await db.deleteFrom('job').execute()
    await order()
    expect(await jobs()).toEqual([])
  })

  it('that an upload stored before the update are renewed after it is matched', async () => {
    const { db } = database
    await renewVersionKeys(db, { now: later(1), log })
    const one = { workspace_id: family.workspaceId, family_id: family.familyId, sbom_id: sbomId, place: 0 }
    // one value per column after the removed entry
    const column = (value: string) => `\u001c\u001d${value}`
    await db.deleteFrom('job').execute()
    await db
      .insertInto('identity_batch')
      .values({
        ...one,
        id: column('00000000-0000-0000-0000-0000000000aa'),
        ecosystem: column('npm'),
        package_key: column('npm\u001flate'),
        subject: column('late'),
        version: column('1.0.0'),
        release: column(''),
        stream: column(''),
        scheme: column('semver'),
        version_key: column('\\xff'),
        key_generation: keyGeneration - 1,
        decidability: column('covered'),
        reason: column('\u001c'),
        basis: column('purl'),
      })
      .execute()
    await matchSbom(db, { ...family, sbomId, now: testNow })
    expect(await jobs()).toEqual([{ kind: 'renew_version_keys', key: 'all' }])
    await renewVersionKeys(db, { now: later(1), log })
    expect(await generations()).toEqual([keyGeneration])
  })

  it('that a process of that release still writes, or whose job it took, are renewed some hours later', async () => {
    const { db } = database
    const place = { db, config: readConfig({}).config, sealing: testSealing }
    await renewVersionKeys(db, { now: later(1), log })
    await db
      .updateTable('component_identity')
      .set({ key_generation: keyGeneration - 1 })
      .where('id', '=', ids.pump)
      .execute()
    await db.deleteFrom('job').execute()
    for (const { seldom, run } of findingsSchedule) if (seldom === true) await run(place, later(8))
    expect(await jobs()).toEqual([{ kind: 'renew_version_keys', key: 'all' }])
  })

  it('let the whole files be read again, because the bounds of ranges are of the same release', async () => {
    const { db } = database
    const row = {
      address: 'https://mirror.example',
      last_attempt_at: testNow,
      last_success_at: testNow,
      last_error: null,
    }
    await db
      .insertInto('data_source')
      .values(
        ['osv:npm', 'osv-reconcile:npm', 'nvd', 'nvd-year:2024', 'kev'].map((name) => ({
          ...row,
          name,
          watermark: testNow,
          content_hash: 'same',
        })),
      )
      .execute()
    await renewVersionKeys(db, { now: later(1), log })
    const rows = await db.selectFrom('data_source').selectAll().orderBy('name').execute()
    expect(rows.map((stored) => [stored.name, stored.last_success_at, stored.content_hash])).toEqual([
      ['kev', testNow, 'same'],
      ['nvd', testNow, null],
      ['nvd-year:2024', testNow, null],
      ['osv-reconcile:npm', null, null],
      ['osv:npm', testNow, 'same'],
    ])
  })
})
