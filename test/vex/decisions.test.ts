import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  decideFindings,
  revokeDecisions,
  selectDecisionHistory,
} from '../../src/findings/verdicts/decide-findings.ts'
import { describeVerdict } from '../../src/vulnerabilities/evidence/describe-verdict.ts'
import { npm } from '../support/parts.ts'
import { addVersion } from '../support/rows.ts'
import { applyDocument, left, VerdictScene, type Word } from './verdict-scene.ts'
import { later, testNow } from '../support/clock.ts'
import { anyText } from '../support/expected.ts'

let scene: VerdictScene

beforeAll(async () => {
  scene = await VerdictScene.open()
})
beforeEach(() => scene.next())
afterAll(() => scene.close())

describe('a decision', () => {
  it('comes before every statement, and both are shown', async () => {
    await scene.upload([npm('left', '1.0.0')])
    const documentId = await applyDocument(scene.db, scene.family, {
      versionId: scene.versionId,
      statements: [left('affected')],
      now: later(5),
    })
    const id = await scene.findingId('left')
    await scene.decide([id], { justification: 'vulnerable_code_not_in_execute_path' })
    const detail = await describeVerdict(scene.db, {
      workspaceId: scene.workspaceId,
      findingId: id,
      now: later(6),
    })
    expect(detail).toMatchObject({
      verdict: {
        verdict: 'not_affected',
        source: 'decision',
        justification: 'vulnerable_code_not_in_execute_path',
      },
      decisions: [
        { verdict: 'not_affected', state: 'in_force', decidedBy: 'Olga', comment: 'We never call it.' },
      ],
      statements: [{ documentId, number: 1, verdict: 'affected', decides: false, wholeProduct: false }],
    })
  })

  it('taken back lets the statement count again', async () => {
    await scene.upload([npm('left', '1.0.0')])
    await applyDocument(scene.db, scene.family, { statements: [left('affected')] })
    const id = await scene.findingId('left')
    await scene.decide([id])
    expect(await scene.verdicts()).toEqual(['not_affected'])
    const [decision] = await selectDecisionHistory(scene.db, {
      workspaceId: scene.workspaceId,
      findingId: id,
      now: later(2),
    })
    const act = {
      workspaceId: scene.workspaceId,
      actor: { kind: 'person', id: scene.personId, name: 'Olga' } as const,
      now: later(3),
    }
    const choice = { decisionId: decision?.id ?? '' }
    await revokeDecisions(scene.db, act, choice)
    expect(await scene.verdicts()).toEqual(['affected'])
    await expect(revokeDecisions(scene.db, act, choice)).rejects.toMatchObject({ code: 'conflict' })
    await expect(
      revokeDecisions(scene.db, { ...act, workspaceId: scene.otherWorkspaceId }, choice),
    ).rejects.toMatchObject({ code: 'not_found' })
    const history = await selectDecisionHistory(scene.db, {
      workspaceId: scene.workspaceId,
      findingId: id,
      now: later(4),
    })
    expect(history).toMatchObject([{ state: 'revoked', endedBy: 'Olga', endedAt: later(3).toISOString() }])
  })

  it('follows the package into later SBOMs of its version, whatever the component’s version', async () => {
    await scene.upload([npm('left', '1.0.0')])
    await scene.decide([await scene.findingId('left')])
    await scene.upload([npm('left', '2.0.0'), npm('right', '1.0.0')])
    expect(await scene.verdicts()).toEqual(['not_affected', null])
  })

  it('holds for its version only, or for every version and later ones', async () => {
    const [second, third] = [
      await addVersion(scene.db, scene.family, '2.0'),
      await addVersion(scene.db, scene.family, '3.0'),
    ]
    await scene.upload([npm('left', '1.0.0')])
    await scene.upload([npm('left', '1.0.0')], second)
    await scene.decide([await scene.findingId('left')])
    await scene.refresh()
    expect(await scene.verdicts()).toEqual(['not_affected', null])
    await scene.decide(
      [await scene.findingId('left', '2.0')],
      { verdict: 'affected', everyVersion: true },
      later(2),
    )
    await scene.refresh(later(3))
    expect(await scene.verdicts()).toEqual(['not_affected', 'affected'])
    await scene.upload([npm('left', '1.1.0')], third)
    expect(await scene.verdicts()).toEqual(['not_affected', 'affected', 'affected'])
  })

  it('is replaced by a later one on the same, which the history keeps', async () => {
    await scene.upload([npm('left', '1.0.0')])
    const id = await scene.findingId('left')
    await scene.decide([id])
    await scene.decide([id], { verdict: 'affected' }, later(2))
    expect(await scene.verdicts()).toEqual(['affected'])
    const history = await selectDecisionHistory(scene.db, {
      workspaceId: scene.workspaceId,
      findingId: id,
      now: later(4),
    })
    expect(history.map(({ verdict, state }) => [verdict, state])).toEqual([
      ['affected', 'in_force'],
      ['not_affected', 'replaced'],
    ])
  })

  it('ends by itself at its date', async () => {
    await scene.upload([npm('left', '1.0.0')])
    await applyDocument(scene.db, scene.family, { statements: [left('under_investigation')] })
    const id = await scene.findingId('left')
    await scene.decide([id], { expiresAt: later(60).toISOString() })
    await scene.refresh(later(59))
    expect(await scene.verdicts()).toEqual(['not_affected'])
    await scene.refresh(later(60))
    expect(await scene.verdicts()).toEqual(['under_investigation'])
    const history = await selectDecisionHistory(scene.db, {
      workspaceId: scene.workspaceId,
      findingId: id,
      now: later(61),
    })
    expect(history).toMatchObject([{ state: 'expired', endedAt: later(60).toISOString(), endedBy: null }])
  })

  it('is made on many findings at once, each package and vulnerability once', async () => {
    await scene.upload([npm('left', '1.0.0'), npm('left', '2.0.0'), npm('right', '1.0.0')])
    const { rows } = await scene.pool.query<{ id: string }>('select id from finding where family_id = $1', [
      scene.family.familyId,
    ])
    expect(await scene.decide(rows.map(({ id }) => id))).toBe(2)
    expect(await scene.verdicts()).toEqual(['not_affected', 'not_affected', 'not_affected'])
    const events = await scene.db
      .selectFrom('audit_event')
      .select(['action', 'actor_name', 'object_name'])
      .where('workspace_id', '=', scene.workspaceId)
      .where('action', '=', 'verdict.decided')
      .orderBy('id', 'desc')
      .limit(2)
      .execute()
    expect(events.map((event) => event.object_name).sort()).toEqual(['CVE-2024-1', 'GHSA-dddd-eeee-ffff'])
  })

  it.each<[string, Partial<Word>, string]>([
    ['no reason for not affected', { comment: ' \u0007' }, 'justification'],
    [
      'a justification of another verdict',
      { verdict: 'fixed', justification: 'component_not_present' },
      'justification',
    ],
    ['an end in the past', { expiresAt: testNow.toISOString() }, 'expiresAt'],
    ['an end no calendar has', { expiresAt: '2026-02-31T99:00:00Z' }, 'expiresAt'],
    ['a comment of too many characters', { comment: '😀'.repeat(4001) }, 'comment'],
  ])('is refused with %s', async (_name, word, field) => {
    await scene.upload([npm('left', '1.0.0')])
    const refused = scene.decide([await scene.findingId('left')], word)
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_request',
      fields: { [field]: anyText },
    })
    expect(await scene.verdicts()).toEqual([null])
  })

  it('needs no comment beside a justification, nor for other verdicts', async () => {
    await scene.upload([npm('left', '1.0.0')])
    const id = await scene.findingId('left')
    await scene.decide([id], { comment: '', justification: 'component_not_present' })
    await scene.decide([id], { comment: '', verdict: 'affected' }, later(2))
    await scene.decide([id], { comment: '😀'.repeat(4000) }, later(3))
    expect(await scene.verdicts()).toEqual(['not_affected'])
  })

  it('is refused on findings of another workspace and of archived families', async () => {
    await scene.upload([npm('left', '1.0.0')])
    const id = await scene.findingId('left')
    const stranger = {
      workspaceId: scene.otherWorkspaceId,
      actor: { kind: 'person', id: scene.personId, name: 'Eve' } as const,
      now: testNow,
    }
    const word = { findingIds: [id], verdict: 'affected', everyVersion: false } as const
    await expect(decideFindings(scene.db, stranger, { ...word, findingIds: [id] })).rejects.toMatchObject({
      code: 'not_found',
    })
    await scene.db
      .updateTable('family')
      .set({ archived_at: testNow })
      .where('id', '=', scene.family.familyId)
      .execute()
    await expect(scene.decide([id])).rejects.toMatchObject({ code: 'conflict' })
  })
})
