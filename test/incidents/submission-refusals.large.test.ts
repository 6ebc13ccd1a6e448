import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Regime } from '../../src/contract/alerts/events.ts'
import { correctSubmission } from '../../src/incidents/submissions/correct-submission.ts'
import type { NewSubmission } from '../../src/incidents/submissions/read-submission.ts'
import { addReceipt } from '../../src/incidents/submissions/receipts.ts'
import { recordSubmission } from '../../src/incidents/submissions/record-submission.ts'
import { waiveReport } from '../../src/incidents/submissions/waive-report.ts'
import { after, createIncidentScene, start, type IncidentScene } from './incident-scene.ts'
import { switchOn } from './opened.ts'
import { close, createCase, ew, filed, final, notification, reason, type Case } from './submission-case.ts'
import { anyText } from '../support/expected.ts'

let scene: IncidentScene
beforeEach(async () => {
  scene = await createIncidentScene()
})
afterEach(async () => {
  await scene.drop()
})

type Refusal = {
  act: string
  state: string
  code: string
  field?: string
  does: (one: Case) => Promise<unknown>
}

const filing = (more: Partial<NewSubmission>, submittedAt = after(2)) => ({
  does: (one: Case) => one.file(ew, submittedAt, { now: after(3), ...more }),
})

const correcting = (submittedAt: Date, why = reason) => ({
  does: async (one: Case) => {
    const submissionId = await one.file(ew, after(2))
    return correctSubmission(
      scene.db,
      { ...one.act(after(30)), submissionId },
      { submittedAt: submittedAt.toISOString(), reason: why },
    )
  },
})

const receipt = (name: string, bytes: number) => ({
  does: async (one: Case) => {
    const submissionId = await one.file(ew, after(2))
    return addReceipt(
      scene.db,
      { ...one.act(after(3)), submissionId },
      { name, bytes: new Uint8Array(bytes) },
    )
  },
})

const waiving = (why: string, regime: Regime = 'gdpr', before?: (one: Case) => Promise<unknown>) => ({
  does: async (one: Case) => {
    await switchOn(scene, one.incidentId, 'gdpr', start)
    await before?.(one)
    const { id: reportId } = await one.report(regime, 'notification')
    return waiveReport(scene.db, { ...one.act(after(3)), reportId }, { reason: why })
  },
})

const invalid = 'invalid_request'
const refusals: Refusal[] = [
  { act: 'submit', state: 'in the future', code: invalid, field: 'submittedAt', ...filing({}, after(4)) },
  { act: 'submit', state: 'before awareness', code: invalid, field: 'submittedAt', ...filing({}, after(-1)) },
  {
    act: 'submit',
    state: 'no time',
    code: invalid,
    field: 'submittedAt',
    ...filing({ submittedAt: '2026-10-01' }),
  },
  { act: 'submit', state: 'no channel', code: invalid, field: 'channel', ...filing({ channel: ' ' }) },
  {
    act: 'submit',
    state: 'long channel',
    code: invalid,
    field: 'channel',
    ...filing({ channel: 'x'.repeat(101) }),
  },
  {
    act: 'submit',
    state: 'long authority',
    code: invalid,
    field: 'authority',
    ...filing({ authority: 'x'.repeat(201) }),
  },
  {
    act: 'submit',
    state: 'long reference',
    code: invalid,
    field: 'reference',
    ...filing({ reference: 'x'.repeat(201) }),
  },
  {
    act: 'submit',
    state: 'covers what is not there',
    code: invalid,
    field: 'alsoCovers',
    ...filing({ alsoCovers: ['x'] }),
  },
  {
    act: 'submit',
    state: 'covers a submitted report',
    code: invalid,
    field: 'alsoCovers',
    does: async (one) => {
      await one.file(ew, after(2))
      return one.file(notification, after(3), { alsoCovers: [(await one.report(...ew)).id] })
    },
  },
  {
    act: 'submit',
    state: 'covers another regime',
    code: invalid,
    field: 'alsoCovers',
    does: async (one) => {
      await switchOn(scene, one.incidentId, 'gdpr', start)
      return one.file(ew, after(2), { alsoCovers: [(await one.report('gdpr', 'notification')).id] })
    },
  },
  {
    act: 'submit',
    state: 'before the measure',
    code: invalid,
    field: 'submittedAt',
    does: async (one) => {
      await scene.db
        .updateTable('incident')
        .set({ measure_available_at: after(5) })
        .execute()
      return one.file(final, after(4), { now: after(6) })
    },
  },
  {
    act: 'update',
    state: 'not of DORA',
    code: invalid,
    field: 'kind',
    does: async (one) => {
      await one.file(ew, after(2))
      return one.file(ew, after(3), { kind: 'update' })
    },
  },
  { act: 'amend', state: 'not submitted', code: 'conflict', ...filing({ kind: 'amendment' }) },
  {
    act: 'amend',
    state: 'before the submission',
    code: invalid,
    field: 'submittedAt',
    does: async (one) => {
      await one.file(ew, after(2))
      return one.file(ew, after(1), { kind: 'amendment', now: after(3) })
    },
  },
  {
    act: 'submit',
    state: 'submitted',
    code: 'conflict',
    does: async (one) => {
      await one.file(ew, after(2))
      return one.file(ew, after(3))
    },
  },
  {
    act: 'submit',
    state: 'closed',
    code: 'conflict',
    does: async (one) => {
      await close(scene, one)
      return one.file(ew, after(2))
    },
  },
  {
    act: 'submit',
    state: 'of an earlier cycle',
    code: 'conflict',
    does: async (one) => {
      await scene.db.updateTable('incident').set({ cycle: 2 }).execute()
      return one.file(ew, after(2))
    },
  },
  {
    act: 'submit',
    state: 'no report of the incident',
    code: 'not_found',
    does: (one) =>
      recordSubmission(
        scene.db,
        { ...one.act(after(2)), reportId: randomUUID() },
        { ...filed, submittedAt: after(1).toISOString() },
      ),
  },
  { act: 'correct', state: 'in the future', code: invalid, field: 'submittedAt', ...correcting(after(31)) },
  {
    act: 'correct',
    state: 'before awareness',
    code: invalid,
    field: 'submittedAt',
    ...correcting(after(-1)),
  },
  { act: 'correct', state: 'the same time', code: invalid, field: 'submittedAt', ...correcting(after(2)) },
  { act: 'correct', state: 'short reason', code: invalid, field: 'reason', ...correcting(after(1), 'typo') },
  { act: 'correct', state: 'now late', code: invalid, field: 'delayReason', ...correcting(after(25)) },
  { act: 'receipt', state: 'no name', code: invalid, field: 'name', ...receipt(' ', 1) },
  { act: 'receipt', state: 'long name', code: invalid, field: 'name', ...receipt('x'.repeat(201), 1) },
  { act: 'receipt', state: 'no bytes', code: 'empty', ...receipt('a.pdf', 0) },
  { act: 'waive', state: 'short reason', code: invalid, field: 'reason', ...waiving('no risk') },
  { act: 'waive', state: 'another regime', code: 'conflict', ...waiving(reason, 'cra') },
  { act: 'waive', state: 'closed', code: 'conflict', ...waiving(reason, 'gdpr', (one) => close(scene, one)) },
  {
    act: 'waive',
    state: 'submitted',
    code: 'conflict',
    ...waiving(reason, 'gdpr', (one) => one.file(['gdpr', 'notification'], after(1))),
  },
]

test.each(refusals)('refused: $act, $state: $code $field', async ({ code, field, does }) => {
  const refused = {
    code,
    ...(field === undefined ? {} : { fields: { [field]: anyText } }),
  }
  await expect(createCase(scene).then(does)).rejects.toMatchObject(refused)
})
