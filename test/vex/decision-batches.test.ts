import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  revokeDecisions,
  selectDecisionHistory,
  undoDecisions,
} from '../../src/findings/verdicts/decide-findings.ts'
import { npm } from '../support/parts.ts'
import { addVersion } from '../support/rows.ts'
import { applyDocument, left, VerdictScene } from './verdict-scene.ts'
import { later } from '../support/clock.ts'

let scene: VerdictScene

beforeAll(async () => {
  scene = await VerdictScene.open()
})
beforeEach(() => scene.next())
afterAll(() => scene.close())

async function allFindings(): Promise<string[]> {
  const { rows } = await scene.pool.query<{ id: string }>(
    'select id from finding where family_id = $1 and closed_at is null order by id',
    [scene.family.familyId],
  )
  return rows.map(({ id }) => id)
}

const history = async (component: string) =>
  selectDecisionHistory(scene.db, {
    workspaceId: scene.workspaceId,
    findingId: await scene.findingId(component),
    now: later(10),
  })

describe('the decisions of one act', () => {
  it('are revoked together, and the history says how many there are', async () => {
    await scene.upload([npm('left', '1.0.0'), npm('right', '1.0.0')])
    const { decided, batch } = await scene.record(await allFindings())
    expect(decided).toBe(2)
    expect(await history('left')).toMatchObject([{ state: 'in_force', batch: { id: batch, inForce: 2 } }])
    expect(await revokeDecisions(scene.db, scene.act(later(2)), { batchId: batch })).toBe(2)
    expect(await scene.verdicts()).toEqual([null, null])
    expect(await history('right')).toMatchObject([{ state: 'revoked', batch: { id: batch, inForce: 0 } }])
    const events = await scene.db
      .selectFrom('audit_event')
      .select('object_name')
      .where('workspace_id', '=', scene.workspaceId)
      .where('action', '=', 'verdict.revoked')
      .where('at', '=', later(2))
      .execute()
    expect(events.map(({ object_name }) => object_name).sort()).toEqual(['CVE-2024-1', 'GHSA-dddd-eeee-ffff'])
  })

  it('are undone together: what they took the place of is in force again', async () => {
    await scene.upload([npm('left', '1.0.0'), npm('right', '1.0.0')])
    await applyDocument(scene.db, scene.family, { statements: [left('under_investigation')] })
    await scene.decide([await scene.findingId('right')], { verdict: 'fixed' })
    const { batch } = await scene.record(await allFindings(), { verdict: 'affected' }, later(2))
    expect(await scene.verdicts()).toEqual(['affected', 'affected'])
    expect(await undoDecisions(scene.db, scene.act(later(3)), batch)).toBe(2)
    expect(await scene.verdicts()).toEqual(['under_investigation', 'fixed'])
    const restored = await scene.db
      .selectFrom('audit_event')
      .select('object_name')
      .where('workspace_id', '=', scene.workspaceId)
      .where('action', '=', 'verdict.restored')
      .where('at', '=', later(3))
      .execute()
    expect(restored).toHaveLength(1)
    expect((await history('right')).map(({ verdict, state }) => [verdict, state])).toEqual([
      ['affected', 'revoked'],
      ['fixed', 'in_force'],
    ])
  })

  it('leaves what was decided later alone', async () => {
    await scene.upload([npm('left', '1.0.0'), npm('right', '1.0.0')])
    const { batch } = await scene.record(await allFindings())
    await scene.decide([await scene.findingId('left')], { verdict: 'affected' }, later(2))
    expect(await undoDecisions(scene.db, scene.act(later(3)), batch)).toBe(1)
    expect(await scene.verdicts()).toEqual(['affected', null])
    await expect(undoDecisions(scene.db, scene.act(later(4)), batch)).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('reach over versions and are taken back in all of them', async () => {
    const second = await addVersion(scene.db, scene.family, '2.0')
    await scene.upload([npm('left', '1.0.0')])
    await scene.upload([npm('left', '1.0.0')], second)
    const { batch } = await scene.record(await allFindings(), { everyVersion: true })
    await scene.refresh()
    expect(await scene.verdicts()).toEqual(['not_affected', 'not_affected'])
    await undoDecisions(scene.db, scene.act(later(3)), batch)
    await scene.refresh(later(4))
    expect(await scene.verdicts()).toEqual([null, null])
  })

  it('of another workspace are not found', async () => {
    await scene.upload([npm('left', '1.0.0')])
    const { batch } = await scene.record(await allFindings())
    const act = { ...scene.act(later(2)), workspaceId: scene.otherWorkspaceId }
    await expect(undoDecisions(scene.db, act, batch)).rejects.toMatchObject({ code: 'not_found' })
  })
})
