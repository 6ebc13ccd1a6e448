import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { changeAwareness } from '../../src/incidents/determinations/change-awareness.ts'
import { decideAwareness } from '../../src/incidents/determinations/decide-awareness.ts'
import {
  decideDetermination,
  withdrawDetermination,
} from '../../src/incidents/determinations/decide-determination.ts'
import { recordDetermination } from '../../src/incidents/determinations/record-determination.ts'
import type { DeterminationValue } from '../../src/contract/incidents/words.ts'
import type { Role } from '../../src/contract/roles.ts'
import { openManually } from '../../src/incidents/openings/open-manually.ts'
import { after, createIncidentScene, pump, start, type IncidentScene } from './incident-scene.ts'
import { anyText, textLike, textWith } from '../support/expected.ts'
import { waitingOf } from '../support/payloads.ts'
import { fieldOf } from '../support/read-as.ts'

const cve = 'CVE-2026-1234'
const reasoning = 'Our product calls the vulnerable function with input from the network.'

let scene: IncidentScene
let incidentId: string
let olga: Awaited<ReturnType<IncidentScene['member']>>
let per: typeof olga
let eva: typeof olga

beforeEach(async () => {
  scene = await createIncidentScene()
  const family = await scene.family('Pump')
  await scene.addRecord(scene.record(cve, 'pump-lib'))
  await scene.list(cve)
  await scene.upload(family, [pump()])
  await scene.open()
  incidentId = (await scene.incidents())[0]?.id ?? ''
  olga = await scene.member('owner', 'Olga')
  per = await scene.member('lead', 'Per')
  eva = await scene.member('editor', 'Eva')
})
afterEach(async () => {
  await scene.drop()
})

const by = (actor: typeof olga, now = after(1)) => ({
  workspaceId: scene.workspaceId,
  incidentId,
  actor,
  now,
})
const record = (actor: typeof olga, value: DeterminationValue, now = after(1)) =>
  recordDetermination(scene.db, by(actor, now), { value, reasoning })
const decide = (
  actor: typeof olga,
  determinationId: string,
  decision: Parameters<typeof decideDetermination>[2] = { approve: true },
  now = after(2),
) => decideDetermination(scene.db, { ...by(actor, now), determinationId }, decision)

const states = async () =>
  (await scene.reports(incidentId)).map(({ regime, report, state, reason }) => [
    regime,
    report,
    state,
    reason,
  ])
const running = [
  ['cra', 'early_warning', 'open', null],
  ['cra', 'notification', 'open', null],
  ['cra', 'final_report', 'waiting', null],
]
const ended = running.map(([regime, report]) => [regime, report, 'not_required', 'determination'])
const requested = async () => (await scene.events()).filter(({ type }) => type === 'approval.requested')

test.each(['not_exploited', 'not_affected'] as const)(
  '%s has no effect until it is approved',
  async (value) => {
    const id = await record(eva, value)
    expect(await states()).toEqual(running)
    expect(await requested()).toEqual([
      {
        type: 'approval.requested',
        data: {
          incident: { id: incidentId, reference: 'INC-2026-0001', title: 'CVE-2026-1234 in Pump' },
          determination: value,
          scope: 'cra',
          approvers: 2,
        },
      },
    ])
    await decide(per, id)
    expect(await states()).toEqual(ended)
  },
)

test('a rejected one changes nothing, and says why to whoever recorded it', async () => {
  const id = await record(eva, 'not_exploited')
  await expect(decide(per, id, { approve: false })).rejects.toMatchObject({
    code: 'invalid_request',
    fields: { comment: anyText },
  })
  await decide(per, id, { approve: false, comment: 'The logs show otherwise.' })
  expect(await states()).toEqual(running)
  const notes = await waitingOf(scene.db, 'send_mail')
  expect(notes.map(({ named, fact }) => [named, fieldOf(fact.data, 'what')])).toContainEqual([
    [eva.id],
    'determination_rejected',
  ])
})

test('a positive one that follows an approved negative one starts the clocks again at once', async () => {
  await decide(per, await record(eva, 'not_exploited'))
  await record(eva, 'actively_exploited', after(3))
  expect(await states()).toEqual(running)
})

describe('whoever recorded it', () => {
  test('cannot approve it, whatever role they have then', async () => {
    const id = await record(per, 'not_exploited')
    await expect(decide(per, id)).rejects.toMatchObject({ code: 'forbidden' })
    await scene.db.updateTable('member').set({ role: 'owner' }).where('person_id', '=', per.id).execute()
    await expect(decide(per, id)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(decide(per, id, { approve: true, withoutSecondPerson: reasoning })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await scene.db.deleteFrom('member').where('person_id', '=', per.id).execute()
    await scene.db
      .insertInto('member')
      .values({
        workspace_id: scene.workspaceId,
        person_id: per.id,
        role: 'admin',
        created_at: start,
        removed_at: null,
      })
      .execute()
    await expect(decide(per, id)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await states()).toEqual(running)
  })

  test('can withdraw it; nobody else can', async () => {
    const id = await record(per, 'not_exploited')
    const withdraw = (actor: typeof olga) =>
      withdrawDetermination(scene.db, { ...by(actor, after(2)), determinationId: id })
    await expect(withdraw(olga)).rejects.toMatchObject({ code: 'forbidden' })
    await withdraw(per)
    await expect(decide(olga, id)).rejects.toMatchObject({ code: 'conflict' })
    expect(await states()).toEqual(running)
  })
})

test('roles that may not approve, and people who left, cannot', async () => {
  const id = await record(per, 'not_exploited')
  await expect(decide(eva, id)).rejects.toMatchObject({ code: 'forbidden' })
  await scene.db.updateTable('member').set({ removed_at: start }).where('person_id', '=', olga.id).execute()
  await expect(decide(olga, id)).rejects.toMatchObject({ code: 'forbidden' })
})

test('two people who decide at once: one wins, the other sees what happened', async () => {
  const id = await record(eva, 'not_exploited')
  const results = await Promise.allSettled([
    decide(olga, id),
    decide(per, id, { approve: false, comment: 'No.' }),
  ])
  const refused = results.filter((result) => result.status === 'rejected')
  expect(refused).toHaveLength(1)
  expect(refused[0]?.reason).toMatchObject({
    code: 'conflict',
    message: textLike(/it was (approved|rejected) by (Olga|Per)/),
  })
})

test('a second one cannot wait beside the first', async () => {
  await record(eva, 'not_exploited')
  await expect(record(per, 'not_affected')).rejects.toMatchObject({
    code: 'conflict',
    message: textWith('Eva'),
  })
})

describe('the one-person workspace', () => {
  beforeEach(async () => {
    await scene.db
      .updateTable('member')
      .set({ removed_at: start })
      .where('person_id', 'in', [per.id, eva.id])
      .execute()
  })

  test('asks nobody, and the owner approves alone with a reason, for good to be seen', async () => {
    const id = await record(olga, 'not_exploited')
    expect((await requested())[0]?.data).toMatchObject({ approvers: 0 })
    await expect(decide(olga, id)).rejects.toMatchObject({ code: 'forbidden' })
    await decide(olga, id, { approve: true, withoutSecondPerson: 'There is nobody else in the company.' })
    expect(await states()).toEqual(ended)
    expect(
      await scene.db
        .selectFrom('determination')
        .select(['self_approved', 'comment'])
        .where('id', '=', id)
        .executeTakeFirst(),
    ).toEqual({ self_approved: true, comment: 'There is nobody else in the company.' })
  })

  test('not once there is a second person', async () => {
    const id = await record(olga, 'not_exploited')
    await scene.member('admin', 'Ada')
    await expect(
      decide(olga, id, { approve: true, withoutSecondPerson: 'There is nobody else in the company.' }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('DORA', () => {
  beforeEach(() => scene.reportUnderDora())

  test('begins with the classification, and ends when that is rejected', async () => {
    const id = await record(eva, 'dora_major')
    const dora = async () => (await states()).filter(([regime]) => regime === 'dora')
    expect(await dora()).toEqual([
      ['dora', 'initial_notification', 'open', null],
      ['dora', 'intermediate_report', 'waiting', null],
      ['dora', 'final_report', 'waiting', null],
    ])
    await decide(per, id, { approve: false, comment: 'The thresholds are not met.' })
    expect((await dora()).map((row) => row.slice(2))).toEqual(
      Array(3).fill(['not_required', 'classification_rejected']),
    )
    expect((await states()).filter(([regime]) => regime === 'cra')).toEqual(running)
  })

  test('a withdrawn classification stops no clock', async () => {
    const id = await record(eva, 'dora_major')
    await withdrawDetermination(scene.db, { ...by(eva, after(2)), determinationId: id })
    expect((await states()).find(([, report]) => report === 'initial_notification')?.[2]).toBe('open')
  })

  test('dora_not_major ends its reports when approved', async () => {
    await decide(per, await record(eva, 'dora_major'))
    const id = await record(eva, 'dora_not_major', after(3))
    expect((await states()).find(([, report]) => report === 'initial_notification')?.[2]).toBe('open')
    await decide(per, id, { approve: true }, after(4))
    expect((await states()).filter(([regime]) => regime === 'dora').map((row) => row.slice(2))).toEqual(
      Array(3).fill(['not_required', 'determination']),
    )
  })
})

describe('awareness', () => {
  const change = (awareAt: Date, actor = per) =>
    changeAwareness(scene.db, by(actor, after(3)), {
      awareAt: awareAt.toISOString(),
      reason: 'A customer told us at that time.',
    })
  const dueOfWarning = async () => (await scene.reports(incidentId))[0]?.due_at

  test('earlier holds at once', async () => {
    expect(await change(after(-2))).toMatchObject({ waits: false })
    expect(await dueOfWarning()).toEqual(after(22))
  })

  test('later waits for a second person', async () => {
    const { id, waits } = await change(after(2))
    expect(waits).toBe(true)
    expect(await dueOfWarning()).toEqual(after(24))
    await expect(
      decideAwareness(scene.db, { ...by(per, after(3)), changeId: id }, { approve: true }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    await decideAwareness(scene.db, { ...by(olga, after(3)), changeId: id }, { approve: true })
    expect(await dueOfWarning()).toEqual(after(26))
  })

  test('so early that the act did not apply waits too: it would end the clocks', async () => {
    expect(await change(new Date('2026-09-01T00:00:00Z'))).toMatchObject({ waits: true })
    expect(await states()).toEqual(running)
  })
})

type Refusal = [name: string, act: () => Promise<unknown>, code: string, field?: string]

const refusals: Refusal[] = [
  [
    'a reasoning of 19 characters',
    () => recordDetermination(scene.db, by(eva), { value: 'not_exploited', reasoning: 'x'.repeat(19) }),
    'invalid_request',
    'reasoning',
  ],
  ['a value of another kind', () => record(eva, 'not_severe'), 'invalid_request', 'value'],
  [
    'evidence that is no link',
    () =>
      recordDetermination(scene.db, by(eva), {
        value: 'not_exploited',
        reasoning,
        evidence: ['javascript:alert(1)'],
      }),
    'invalid_request',
    'evidence',
  ],
  [
    'a classification before the awareness',
    () =>
      recordDetermination(scene.db, by(eva), {
        value: 'dora_major',
        reasoning,
        classifiedAt: after(-1).toISOString(),
      }),
    'invalid_request',
    'classifiedAt',
  ],
  [
    'a classification in the future',
    () =>
      recordDetermination(scene.db, by(eva), {
        value: 'dora_major',
        reasoning,
        classifiedAt: after(9).toISOString(),
      }),
    'invalid_request',
    'classifiedAt',
  ],
  [
    'an awareness in the future',
    () => changeAwareness(scene.db, by(per), { awareAt: after(9).toISOString(), reason: reasoning }),
    'invalid_request',
    'awareAt',
  ],
  [
    'an awareness without a reason',
    () => changeAwareness(scene.db, by(per), { awareAt: after(-1).toISOString(), reason: '' }),
    'invalid_request',
    'reason',
  ],
  [
    'an incident of nobody',
    () =>
      recordDetermination(
        scene.db,
        { ...by(eva), incidentId: olga.id },
        { value: 'not_exploited', reasoning },
      ),
    'not_found',
  ],
  [
    'opening a second one by hand',
    async () => {
      const [family] = await scene.db.selectFrom('family').select('id').execute()
      return openManually(
        scene.db,
        { workspaceId: scene.workspaceId, actor: eva, now: after(1) },
        {
          kind: 'vulnerability',
          title: 'Again',
          vulnerability: 'cve-2026-1234',
          families: [family?.id ?? ''],
        },
      )
    },
    'conflict',
  ],
  [
    'opening one without an id',
    () =>
      openManually(
        scene.db,
        { workspaceId: scene.workspaceId, actor: eva, now: after(1) },
        { kind: 'vulnerability', title: 'x', families: [] },
      ),
    'invalid_request',
    'vulnerability',
  ],
]

test.each(refusals)('refused: %s', async (_name, act, code, field) => {
  const before = await states()
  await expect(act()).rejects.toMatchObject({
    code,
    ...(field === undefined ? {} : { fields: { [field]: anyText } }),
  })
  expect(await states()).toEqual(before)
})

test.each<Role>(['owner', 'admin', 'lead'])('an exercise asks nobody: %s', async (role) => {
  const actor = await scene.member(role)
  const { id } = await openManually(
    scene.db,
    { workspaceId: scene.workspaceId, actor, now: after(1) },
    { kind: 'severe_incident', title: 'Drill', families: [], isExercise: true },
  )
  await recordDetermination(
    scene.db,
    { ...by(actor), incidentId: id },
    { value: 'severe_incident', reasoning },
  )
  expect(await requested()).toEqual([])
})
