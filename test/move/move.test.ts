import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyTrail } from '../../src/audit/verify-trail.ts'
import { leftOutTables, movedNames } from '../../src/move/tables.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { createScene } from '../support/scene.ts'
import { readMovedRows } from './compared-rows.ts'
import { addVulnerabilityData, MoveScene, openInstallation, type Installation } from './move-scene.ts'

let scene: MoveScene
const installations: Installation[] = []

async function open(): Promise<Installation> {
  const installation = await openInstallation()
  installations.push(installation)
  return installation
}

beforeAll(async () => {
  scene = await MoveScene.open()
}, 120_000)
afterAll(async () => {
  await scene.close()
  await Promise.all(installations.map(({ store }) => store.drop()))
})

const rowsOf = ({ store, sealing }: Installation, id: string) => readMovedRows({ db: store.db, sealing }, id)

describe('every table', () => {
  it('moves, or is left out with a reason', async () => {
    const { rows } = await scene.source.store.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    )
    const known = [...movedNames, ...Object.keys(leftOutTables)]
    expect(known.toSorted()).toEqual(rows.map(({ name }) => name).sort())
  })
})

describe('a workspace that moves', () => {
  it('arrives with every row, and its trail goes on', async () => {
    const target = await open()
    await addVulnerabilityData(target)
    const [acme] = scene.workspaces
    const before = await rowsOf(scene.source, acme.id)
    await scene.export('whole.gz')
    const imported = await scene.import('whole.gz', target)
    expect(imported).toMatchObject({ slug: 'acme', madeAccounts: 2, unknownVulnerabilities: 0 })
    const after = await rowsOf(target, acme.id)
    for (const name of movedNames.filter((table) => !table.startsWith('audit_')))
      expect({ name, rows: after[name] }).toEqual({ name, rows: before[name] })
    const trail = await verifyTrail(target.store.db, [])
    expect(trail).toMatchObject({ isWhole: true, waiting: { events: 0 } })
    const events = await target.store.db
      .selectFrom('audit_event')
      .select(['action', 'original_id'])
      .where('workspace_id', '=', acme.id)
      .orderBy('id')
      .execute()
    expect(events.at(-1)).toEqual({ action: 'workspace.imported', original_id: null })
    expect(events.length).toBe((before['audit_event'] ?? []).length + 1)
    await drain(target.store.db, testNow)
    const settled = await rowsOf(target, acme.id)
    expect(settled['finding']).toEqual(before['finding'])
    expect(before['finding']?.length).toBeGreaterThan(0)
  })

  it('leaves the other one alone, here and there', async () => {
    const target = await open()
    await createScene(target.store.db)
    const [, umbrella] = scene.workspaces
    const before = await rowsOf(scene.source, umbrella.id)
    await expect(scene.import('whole.gz', target)).rejects.toMatchObject({ code: 'conflict' })
    expect(await rowsOf(scene.source, umbrella.id)).toEqual(before)
  })
})
