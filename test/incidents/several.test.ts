import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/contract/roles.ts'
import { getIncident, listDeadlines, openIncident } from '../../src/contract/incidents/operations.ts'
import {
  copyDrafts,
  exportIncident,
  getDraft,
  listSameReports,
  recordSubmission,
  recordSubmissions,
  saveDraft,
} from '../../src/contract/incidents/report-operations.ts'
import { recordDetermination, recordDeterminations } from '../../src/contract/incidents/act-operations.ts'
import type { DraftValues } from '../../src/contract/incidents/report-drafts.ts'
import { IncidentEvidence } from '../../src/contract/incidents/incident-evidence.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import { nobodys } from '../api/operation-bodies.ts'
import { openPeopleScene, type PeopleScene } from '../people/people-scene.ts'
import type { AppSession } from '../support/app-session.ts'
import { addFamily } from '../support/rows.ts'
import { readAs } from '../support/read-as.ts'
import { anyText, textWith } from '../support/expected.ts'

const aware = new Date('2026-11-02T08:00:00.000Z')
const early = { regime: 'cra', report: 'early_warning' } as const
const reasoning = 'What was looked at, and what it showed.'

let scene: PeopleScene
const sessions = new Map<string, AppSession>()
let vulnerabilities = 0

beforeAll(async () => {
  scene = await openPeopleScene()
  scene.now = new Date('2026-11-02T10:00:00.000Z')
  for (const role of ['lead', 'editor', 'viewer'] as const) sessions.set(role, await scene.signIn(role))
  sessions.set('umbrella', await scene.signIn('editor', 'umbrella'))
})
afterAll(() => scene.close())

function as(who: Role | 'umbrella'): AppSession {
  const session = sessions.get(who)
  if (session === undefined) throw new Error(`no ${who} is signed in`)
  return session
}

type Opening = { awareAt?: Date; isExercise?: boolean; who?: 'editor' | 'umbrella' }

/** Opens an incident on a vulnerability, for a new family. */
async function open(
  vulnerability: string,
  { awareAt = aware, isExercise = false, who = 'editor' }: Opening = {},
) {
  const { db } = scene.database
  const slug = who === 'umbrella' ? 'umbrella' : 'acme'
  const name = `Product ${(vulnerabilities += 1)}`
  const { id: workspaceId } = await db
    .selectFrom('workspace')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  const { familyId } = await addFamily(db, workspaceId, name)
  const given = {
    kind: 'vulnerability' as const,
    title: `Flaw in ${name}`,
    vulnerability,
    families: [familyId],
  }
  const body = { ...given, awareAt: awareAt.toISOString(), isExercise }
  const { id } = await as(who).call(openIncident, { body })
  const { id: report } = await db
    .selectFrom('regime_report')
    .select('id')
    .where('incident_id', '=', id)
    .where('regime', '=', 'cra')
    .where('report', '=', 'early_warning')
    .executeTakeFirstOrThrow()
  return { id, name, report: { incident: id, report }, reportId: report }
}

const newCve = () => `CVE-2026-${4_000 + (vulnerabilities += 1)}`
type Filing = Omit<BodyOf<typeof recordSubmissions>, 'incidents'>
const filing = (more: Partial<Filing> = {}): Filing => ({
  ...early,
  kind: 'submission',
  submittedAt: scene.now.toISOString(),
  channel: 'Portal',
  ...more,
})
const referenceOf = async (id: string) =>
  (await as('editor').call(getIncident, { params: { incident: id } })).reference
const submissionsOf = async (id: string) =>
  (await as('editor').call(getIncident, { params: { incident: id } })).submissions

describe('one filing for several incidents', () => {
  test('is recorded on each, with the text of its own draft and an act of its own', async () => {
    const cve = newCve()
    const [one, two] = [await open(cve), await open(cve)]
    const { values } = await as('editor').call(getDraft, { params: two.report })
    const texts = { [one.reportId]: { '2': 'As the page shows it.' } }
    const { done, refused, submissions } = await as('editor').call(recordSubmissions, {
      body: {
        ...filing({ reference: 'SRP-1', texts, alsoCovers: ['notification'] }),
        incidents: [one.id, two.id],
      },
    })
    expect([done, refused]).toEqual([[one.id, two.id], []])
    for (const { id } of [one, two]) {
      const recorded = await submissionsOf(id)
      expect(recorded.map(({ report }) => report).toSorted()).toEqual(['early_warning', 'notification'])
      expect(
        recorded.every(
          ({ reference, recordedBy }) => reference === 'SRP-1' && recordedBy.startsWith('editor'),
        ),
      ).toBe(true)
      expect(recorded.map((row) => row.id)).toContain(submissions.find(({ incident }) => incident === id)?.id)
    }
    const textOf = async (id: string) => {
      const { submissions: kept } = readAs(
        IncidentEvidence,
        (await as('editor').ask(exportIncident, { params: { incident: id } })).body,
      )
      const fields = kept.find(({ report }) => report === 'early_warning')?.draft?.fields ?? []
      return fields.find((field) => field.id === '2')?.value
    }
    expect(await textOf(one.id)).toBe('As the page shows it.')
    expect(await textOf(two.id)).toBe(values['2'])
    const audited = await scene.database.db
      .selectFrom('audit_event')
      .select('object_id')
      .where('action', '=', 'incident.report_submitted')
      .where('object_id', 'in', [one.id, two.id])
      .execute()
    expect(audited).toHaveLength(4)
  })

  test('is refused by name where the rules of one incident refuse it, and done on the others', async () => {
    const cve = newCve()
    const [good, late, filed, later, closed] = [
      await open(cve),
      await open(cve, { awareAt: new Date(scene.now.getTime() - 30 * 3_600_000) }),
      await open(cve),
      await open(cve, { awareAt: scene.now }),
      await open(cve),
    ]
    const { regime: _regime, report: _report, ...single } = filing()
    await as('editor').call(recordSubmission, { params: filed.report, body: single })
    await scene.database.db
      .updateTable('incident')
      .set({ status: 'closed', closed_at: scene.now, closed_by_name: 'lead', close_reason: reasoning })
      .where('id', '=', closed.id)
      .execute()
    const submittedAt = new Date(scene.now.getTime() - 60_000).toISOString()
    const incidents = [good, late, filed, later, closed].map(({ id }) => id)
    const { done, refused } = await as('editor').call(recordSubmissions, {
      body: { ...filing({ submittedAt }), incidents },
    })
    expect(done).toEqual([good.id])
    const reasonOf = (id: string) => refused.find((one) => one.id === id)?.reason
    expect(reasonOf(late.id)).toContain('give the reasons for the delay')
    expect(reasonOf(filed.id)).toContain('recorded this submission')
    expect(reasonOf(later.id)).toBeDefined()
    expect(reasonOf(closed.id)).toContain('is closed')
    expect(await submissionsOf(late.id)).toEqual([])
    const again = { ...filing({ submittedAt, delayReason: 'The portal was down.' }), incidents: [late.id] }
    expect(await as('editor').call(recordSubmissions, { body: again })).toMatchObject({ done: [late.id] })
    expect((await submissionsOf(late.id))[0]?.delayReason).toBe('The portal was down.')
  })

  test('what is wrong for every one of them is refused by field, and nothing is recorded', async () => {
    const cve = newCve()
    const [one, two] = [await open(cve), await open(cve)]
    const body = { ...filing({ channel: ' ' }), incidents: [one.id, two.id] }
    const answer = await as('editor').refused(recordSubmissions, { body })
    expect(answer).toMatchObject({ status: 400, body: { fields: { channel: anyText } } })
    expect(await submissionsOf(one.id)).toEqual([])
  })

  test('waits for no approval, and says of each whether one was pending', async () => {
    const cve = newCve()
    const [pending, free] = [await open(cve), await open(cve)]
    const decision = { value: 'not_affected', reasoning } as const
    await as('editor').call(recordDetermination, { params: { incident: pending.id }, body: decision })
    await as('editor').call(recordSubmissions, { body: { ...filing(), incidents: [pending.id, free.id] } })
    expect((await submissionsOf(pending.id)).map(({ beforeApproval }) => beforeApproval)).toEqual([true])
    expect((await submissionsOf(free.id)).map(({ beforeApproval }) => beforeApproval)).toEqual([false])
  })

  test('two who record it at once record it once on each', async () => {
    const cve = newCve()
    const [one, two] = [await open(cve), await open(cve)]
    const body = { ...filing(), incidents: [one.id, two.id] }
    const answers = await Promise.all([
      as('editor').call(recordSubmissions, { body }),
      as('lead').call(recordSubmissions, { body }),
    ])
    expect(answers.flatMap(({ done }) => done).toSorted()).toEqual([one.id, two.id].toSorted())
    for (const { id } of [one, two]) expect(await submissionsOf(id)).toHaveLength(1)
  })

  test.each(['another vulnerability', 'a drill'])('does not take %s with it', async (what) => {
    const cve = newCve()
    const one = await open(cve)
    const two = what === 'a drill' ? await open(cve, { isExercise: true }) : await open(newCve())
    for (const [act, more] of [
      [recordSubmissions, filing()],
      [recordDeterminations, { value: 'actively_exploited', reasoning }],
    ] as const) {
      const answer = await as('editor').refused(act, { body: { ...more, incidents: [one.id, two.id] } })
      expect(answer, act.path).toMatchObject({
        status: 400,
        body: {
          fields: { incidents: 'One act covers one vulnerability: choose incidents about the same one.' },
        },
      })
    }
    expect(await submissionsOf(one.id)).toEqual([])
  })
})

describe('one draft for several incidents', () => {
  type Report = Awaited<ReturnType<typeof open>>['report']
  const save = (params: Report, revision: number, values: DraftValues, who: Role = 'editor') =>
    as(who).call(saveDraft, { params, body: { revision, values } })
  const draftOf = (report: Report) => as('editor').call(getDraft, { params: report })
  const sameAs = async (report: Report) =>
    (await as('editor').call(listSameReports, { params: report })).reports.map(
      ({ incident, revision, savedBy }) => [...[incident.id, revision, savedBy]],
    )

  test('is taken over by each, whose products stay its own; what somebody typed stays unless it is named', async () => {
    const cve = newCve()
    const [from, fresh, typed] = [await open(cve), await open(cve), await open(cve)]
    await save(from.report, 0, { ...(await draftOf(from.report)).values, '14': 'Switch it off.' })
    await save(typed.report, 0, { '14': 'Wait for us.' }, 'lead')
    expect(await sameAs(from.report)).toEqual(
      expect.arrayContaining([
        [fresh.id, 0, null],
        [typed.id, 1, 'lead of acme'],
      ]),
    )
    const into = (revision: number) => ({
      ...early,
      from: from.id,
      incidents: [
        { incident: fresh.id, revision: 0 },
        { incident: typed.id, revision },
      ],
    })
    const first = await as('editor').call(copyDrafts, { body: into(0) })
    expect(first).toMatchObject({
      done: [fresh.id],
      refused: [{ id: typed.id, reason: textWith('lead of acme saved this draft') }],
    })
    expect((await draftOf(fresh.report)).values).toMatchObject({ '14': 'Switch it off.', '6': fresh.name })
    expect((await draftOf(typed.report)).values['14']).toBe('Wait for us.')
    const named = { ...into(1), incidents: [{ incident: typed.id, revision: 1 }] }
    expect(await as('editor').call(copyDrafts, { body: named })).toMatchObject({ done: [typed.id] })
    expect(await draftOf(typed.report)).toMatchObject({ revision: 2, values: { '14': 'Switch it off.' } })
    const entries = await scene.database.db
      .selectFrom('incident_entry')
      .select('incident_id')
      .where('kind', '=', 'draft_saved')
      .where('incident_id', 'in', [fresh.id, typed.id])
      .execute()
    expect(entries).toHaveLength(3)
  })

  test('is refused where nothing is saved to take over', async () => {
    const cve = newCve()
    const [from, one] = [await open(cve), await open(cve)]
    const incidents = [{ incident: one.id, revision: 0 }]
    const answer = await as('editor').refused(copyDrafts, { body: { ...early, from: from.id, incidents } })
    expect(answer).toMatchObject({ status: 400, body: { fields: { from: anyText } } })
  })

  test('closed incidents, drills and other vulnerabilities are not offered', async () => {
    const cve = newCve()
    const own = await open(cve)
    const drill = await open(cve, { isExercise: true })
    await open(newCve())
    expect(await sameAs(own.report)).toEqual([])
    expect(await sameAs(drill.report)).toEqual([])
    const other = await open(cve)
    expect(await sameAs(own.report)).toEqual([[other.id, 0, null]])
    await scene.database.db
      .updateTable('incident')
      .set({ status: 'closed', closed_at: scene.now, closed_by_name: 'lead', close_reason: reasoning })
      .where('id', '=', other.id)
      .execute()
    expect(await sameAs(own.report)).toEqual([])
  })
})

test('the list of deadlines has the same report of several incidents once, and drills apart', async () => {
  const cve = newCve()
  const opened = [await open(cve), await open(cve)]
  const drill = await open(cve, { isExercise: true })
  const { deadlines } = await as('viewer').call(listDeadlines)
  const shown = deadlines
    .filter(({ vulnKey, report }) => vulnKey === cve && report === 'early_warning')
    .map(({ incident, incidents }) => [incident.id, incident.isExercise, incidents])
  expect(shown).toHaveLength(2)
  expect(shown).toEqual(
    expect.arrayContaining([
      [opened[0]?.id, false, 2],
      [drill.id, true, 1],
    ]),
  )
})

test('a viewer records nothing, and another workspace is told of nothing', async () => {
  const cve = newCve()
  const [one, two] = [await open(cve), await open(cve)]
  const foreign = await open(cve, { who: 'umbrella' })
  const drafts = { ...early, from: one.id, incidents: [{ incident: two.id, revision: 0 }] }
  expect(
    (await as('viewer').refused(recordSubmissions, { body: { ...filing(), incidents: [one.id] } })).status,
  ).toBe(403)
  expect((await as('viewer').refused(copyDrafts, { body: drafts })).status).toBe(403)
  const both = { ...filing(), incidents: [one.id, foreign.id] }
  const unknown = { ...filing(), incidents: [one.id, nobodys] }
  for (const body of [both, unknown])
    expect((await as('editor').refused(recordSubmissions, { body })).status).toBe(404)
  expect((await as('umbrella').refused(recordSubmissions, { body: both })).status).toBe(404)
  expect((await as('umbrella').refused(copyDrafts, { body: drafts })).status).toBe(404)
  expect((await as('umbrella').refused(listSameReports, { params: one.report })).status).toBe(404)
  expect(
    (await as('editor').call(listSameReports, { params: one.report })).reports.map(
      ({ incident }) => incident.reference,
    ),
  ).toEqual([await referenceOf(two.id)])
  for (const { id } of [one, two]) expect(await submissionsOf(id)).toEqual([])
})
