import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeReplacedSboms } from '../../src/findings/changes/remove-replaced.ts'
import type { Family } from '../support/rows.ts'
import { RetentionScene, type Uploading } from './retention-scene.ts'
import { fieldOf } from '../support/read-as.ts'

let scene: RetentionScene
beforeAll(async () => {
  scene = await RetentionScene.open()
})
afterAll(() => scene.close())

/** Numbers listed by a family's SBOMs that no component has. */
async function missing({ familyId }: Family): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    select distinct n.number from sbom s cross join unnest(s.component_numbers) as n (number)
    where s.family_id = ${familyId} and not exists (
      select from component c where c.family_id = s.family_id and c.number = n.number
    )`.execute(scene.db)
  return rows.map(({ number }) => number)
}

async function fill(family: Uploading, uploads: number): Promise<void> {
  for (let place = 0; place < uploads; place += 1)
    await scene.send(family, scene.file([`shared-${place % 7}`, `own-${place}`, `pair-${place >> 1}`]))
  await scene.settle()
}

describe('removing beside uploads of the same version', () => {
  it.each([1, 2, 3])('leaves every SBOM whole, round %i', async () => {
    const family = await scene.family()
    await fill(family, 12)
    await scene.keep(family, { keep: 'last' })
    const removing = Array.from({ length: 4 }, () => scene.remove())
    const sending = Array.from({ length: 12 }, (_, place) =>
      scene.send(family, scene.file([`own-${place}`, `shared-${place % 7}`, `pair-${place}`])),
    )
    const [removed, sent] = await Promise.all([Promise.all(removing), Promise.all(sending)])
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([202]))
    expect(await missing(family)).toEqual([])
    await scene.settle()
    const later = await scene.remove()
    expect(removed.reduce((sum, one) => sum + one, later)).toBe(22)
    expect(await missing(family)).toEqual([])
    expect(await scene.left(family)).toHaveLength(2)
    const { rows } = await sql<{ active: number }>`
      select count(*) as active from sbom where family_id = ${family.familyId} and active`.execute(scene.db)
    expect(rows).toEqual([{ active: 1 }])
  })
})

describe('removing many', () => {
  it('takes twenty at a time, each with its record and its event, and stops where it is asked to', async () => {
    const family = await scene.family()
    await fill(family, 50)
    await scene.keep(family, { keep: 'last' })
    const stop = new AbortController()
    const committed = async () => {
      const { length: records } = await scene.removed(family)
      const { length: left } = await scene.left(family)
      return { records, left, events: (await events(family)).length }
    }
    stop.abort()
    expect(await removeReplacedSboms(scene.db, { now: scene.now, stopping: stop.signal })).toBe(0)
    expect(await scene.remove()).toBe(48)
    expect(await committed()).toEqual({ records: 48, left: 2, events: 3 })
    expect((await events(family)).map(({ after }) => Number(fieldOf(after, 'sboms')))).toEqual([20, 20, 8])
  })

  it('that loses its session again and again has removed whole SBOMs only, and goes on', async () => {
    const family = await scene.family()
    await fill(family, 45)
    await scene.keep(family, { keep: 'last' })
    let lost = 0
    for (let round = 0; round < 12; round += 1) {
      const running = scene.remove().catch(() => {
        lost += 1
      })
      await sql`select pg_sleep(${round * 0.004})`.execute(scene.db)
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`.execute(
        scene.db,
      )
      await running
      const left = await scene.left(family)
      const removed = await scene.removed(family)
      expect(left.length + removed.length).toBe(45)
      expect(await missing(family)).toEqual([])
    }
    await scene.remove()
    expect(await scene.left(family)).toHaveLength(2)
    const told = (await events(family)).map(({ after }) => Number(fieldOf(after, 'sboms')))
    expect(told.reduce((sum, one) => sum + one, 0)).toBe(43)
    expect(lost).toBeGreaterThan(0)
  })
})

function events({ familyId }: Family) {
  return scene.db
    .selectFrom('audit_event')
    .select('after')
    .where('object_id', '=', familyId)
    .where('action', '=', 'family.sboms_removed')
    .orderBy('id')
    .execute()
}
