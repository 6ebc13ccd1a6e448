import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { matchDigests } from '../../src/sbom/components/match-digests.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'

/** Which families have a component with a digest that records come to state: by look-ups where they are few, else by reading components. */

let scene: UploadScene

const digestOf = (name: string) => Buffer.from(name.padEnd(32, '.')).toString('hex')
const component = (name: string) => ({
  type: 'library',
  name,
  version: '1.0',
  hashes: [{ alg: 'SHA-256', content: digestOf(name) }],
})

beforeAll(async () => {
  scene = await UploadScene.open()
  const many = Array.from({ length: 100 }, (_, n) => component(`part-${n}`))
  await scene.uploaded(cyclonedx({ version: scene.serial(), components: [...many, component('bad')] }))
  await drain(scene.database.db, testNow)
  await sql`analyze component`.execute(scene.database.db)
})
beforeEach(async () => {
  await scene.database.db.deleteFrom('job').execute()
})
afterAll(() => scene.close())

async function reached(...names: string[]): Promise<number> {
  const { db } = scene.database
  const digests = names.map((name) => `sha256:${digestOf(name)}`)
  await matchDigests(db, { digests, now: testNow })
  const jobs = await db.selectFrom('job').select('key').where('kind', '=', 'refresh_findings').execute()
  return jobs.length
}

const many = (...names: string[]) => [...Array.from({ length: 1_000 }, (_, n) => `absent-${n}`), ...names]

it('looks up one', async () => {
  expect(await reached('bad')).toBe(1)
})

it('reaches no family that has none of them', async () => {
  expect(await reached('absent')).toBe(0)
  expect(await reached(...many())).toBe(0)
})

it('finds one of many', async () => {
  expect(await reached(...many('bad'))).toBe(1)
})

it('of components that are not in the index yet, reaches those that have it, and no others', async () => {
  const { db } = scene.database
  await db.deleteFrom('component_hash').execute()
  await db.deleteFrom('component_search').execute()
  expect(await reached('absent')).toBe(0)
  expect(await reached('bad')).toBe(1)
})

it('leaves alone a family that is archived, and a workspace that is not monitored', async () => {
  const { db } = scene.database
  await db.updateTable('family').set({ archived_at: testNow }).execute()
  expect([await reached('bad'), await reached(...many('bad'))]).toEqual([0, 0])
  await db.updateTable('family').set({ archived_at: null }).execute()
  await db.updateTable('workspace').set({ suspended_at: testNow }).execute()
  expect([await reached('bad'), await reached(...many('bad'))]).toEqual([0, 0])
})
