import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeRegimeSettings } from '../../src/incidents/regimes/change-settings.ts'
import { selectRegimeSettings } from '../../src/incidents/regimes/settings.ts'
import { dismissReview } from '../../src/incidents/openings/dismiss-review.ts'
import { describeOverview } from '../../src/views/overview.ts'
import { listEntries } from '../../src/incidents/reads/list-entries.ts'
import { listReview } from '../../src/incidents/reads/list-review.ts'
import { listSuppressed } from '../../src/incidents/reads/list-suppressed.ts'
import type { Role } from '../../src/contract/roles.ts'
import { packageKeyOf } from '../support/parts.ts'
import type { Family } from '../support/rows.ts'
import { enqueue } from '../../src/queue/enqueue.ts'
import { after, createIncidentScene, pump, start, type IncidentScene } from './incident-scene.ts'
import { anyText } from '../support/expected.ts'
import { drain } from '../support/drain.ts'

let scene: IncidentScene
let pumpFamily: Family
let valve: Family
let foreign: Family
beforeEach(async () => {
  scene = await createIncidentScene()
  pumpFamily = await scene.family('Pump')
  valve = await scene.family('Valve')
  foreign = await scene.foreign()
})
afterEach(async () => {
  await scene.drop()
})

const cve = 'CVE-2026-1234'

const askingAs = (role: Role) => scene.askingAs(role)
const openIn = (...families: Family[]) => scene.openIn(cve, ...families)

/** A component without a version, matched by name alone: the record may apply to it. */
const unsure = pump('not-a-version!')

test('a possible match of an exploited vulnerability is for review until somebody puts it aside', async () => {
  await scene.addRecord(scene.record('GHSA-1', 'pump-lib', { aliases: [cve] }))
  await scene.list(cve)
  await scene.upload(pumpFamily, [unsure])
  await scene.look(pumpFamily)
  expect(await scene.incidents()).toEqual([])
  const { workspaceId } = scene
  const { rows, total } = await listReview(scene.db, { workspaceId })
  expect(total).toBe(1)
  expect(rows[0]).toMatchObject({
    vulnerability: cve,
    listedBy: ['kev'],
    family: { name: 'Pump' },
    component: { name: 'pump-lib' },
    dismissed: null,
  })
  const actor = await scene.member('editor', 'Eva')
  const findingId = rows[0]?.findingId ?? ''
  const act = { workspaceId, findingId, actor, now: after(2) }
  await expect(dismissReview(scene.db, act, 'too short')).rejects.toMatchObject({
    code: 'invalid_request',
    fields: { reason: anyText },
  })
  const elsewhere = { ...act, workspaceId: foreign.workspaceId }
  const reason = 'Our build removes this package.'
  await expect(dismissReview(scene.db, elsewhere, reason)).rejects.toMatchObject({ code: 'not_found' })
  await dismissReview(scene.db, act, reason)
  await expect(dismissReview(scene.db, act, reason)).rejects.toMatchObject({ code: 'conflict' })
  expect((await listReview(scene.db, { workspaceId })).total).toBe(0)
  expect((await listReview(scene.db, { workspaceId, dismissed: 'yes' })).rows[0]?.dismissed).toEqual({
    by: 'Eva',
    at: after(2).toISOString(),
    reason,
  })
  expect((await listReview(scene.db, { workspaceId: foreign.workspaceId, dismissed: 'yes' })).total).toBe(0)
  const acts = await scene.db
    .selectFrom('audit_event')
    .select(['action', 'actor_name'])
    .where('workspace_id', '=', workspaceId)
    .execute()
  expect(acts).toContainEqual({ action: 'incident.match_dismissed', actor_name: 'Eva' })
})

test('malware is for review, exact or not, and opens no incident by itself', async () => {
  await scene.addRecord(scene.record('MAL-2026-1', 'pump-lib', { recordClass: 'malware' }))
  await scene.upload(pumpFamily, [pump()])
  await scene.look(pumpFamily)
  await drain(scene.db, start)
  const { workspaceId } = scene
  const { rows } = await listReview(scene.db, { workspaceId })
  expect(rows).toMatchObject([{ vulnerability: 'MAL-2026-1', malware: true, listedBy: [] }])
  expect(await scene.incidents()).toEqual([])
  expect(await describeOverview(scene.db, await askingAs('owner'), after(1))).toMatchObject({ toReview: 1 })
  const act = {
    workspaceId,
    findingId: rows[0]?.findingId ?? '',
    actor: await scene.member('editor', 'Eva'),
    now: after(2),
  }
  await dismissReview(scene.db, act, 'The package is removed from the build.')
  expect((await listReview(scene.db, { workspaceId })).total).toBe(0)
})

test('what was put aside stays so when its vulnerability joins another one, which was put aside too', async () => {
  for (const name of ['MAL-2026-1', 'MAL-2026-2'])
    await scene.addRecord(scene.record(name, 'pump-lib', { recordClass: 'malware' }))
  await scene.upload(pumpFamily, [pump()])
  await drain(scene.db, start)
  const { workspaceId } = scene
  const actor = await scene.member('editor', 'Eva')
  const { rows } = await listReview(scene.db, { workspaceId })
  expect(rows).toHaveLength(2)
  for (const [index, { findingId }] of rows.entries()) {
    const reason = `The package is removed from the build, as said in note ${index}.`
    await dismissReview(scene.db, { workspaceId, findingId, actor, now: after(2 + index) }, reason)
  }
  const groups = await scene.db.selectFrom('vulnerability_group').select('id').orderBy('id').execute()
  const [into = 0, from = 0] = groups.map(({ id }) => id)
  await scene.db.updateTable('vulnerability').set({ group_id: into }).where('group_id', '=', from).execute()
  const payload = { packageKeys: [packageKeyOf('npm', 'pump-lib')], mergedGroups: [{ from, into }] }
  await scene.db.transaction().execute((tx) => enqueue(tx, { kind: 'match_packages', payload, runAt: start }))
  await drain(scene.db, after(5))
  expect((await listReview(scene.db, { workspaceId })).total).toBe(0)
  const dismissed = (await listReview(scene.db, { workspaceId, dismissed: 'yes' })).rows
  expect(dismissed).toMatchObject([{ dismissed: { at: after(2).toISOString() } }])
})

test('a listing of several vulnerabilities’ record is possibly exploited, and for review', async () => {
  await scene.addRecord(scene.record('GHSA-2', 'pump-lib', { aliases: ['CVE-2026-5', 'CVE-2026-6'] }))
  await scene.db
    .updateTable('alias_assertion')
    .set({ bridges: false })
    .where('relation', '=', 'alias')
    .execute()
  await scene.list('CVE-2026-5')
  await scene.upload(pumpFamily, [pump()])
  await scene.look(pumpFamily)
  const { rows } = await listReview(scene.db, { workspaceId: scene.workspaceId })
  expect([rows.map(({ listedBy }) => listedBy), (await scene.incidents()).length]).toEqual([[['kev']], 0])
})

test('an exact match cannot be put aside: it has an incident', async () => {
  await openIn(pumpFamily)
  const { id: findingId } = await scene.db.selectFrom('finding').select('id').executeTakeFirstOrThrow()
  const act = { workspaceId: scene.workspaceId, findingId, actor: await scene.member('lead'), now: start }
  await expect(dismissReview(scene.db, act, 'A reason that is long enough.')).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('suppressed openings are listed for their workspace alone', async () => {
  await openIn(pumpFamily)
  const [affected] = await scene.db.selectFrom('incident_affected').selectAll().execute()
  if (affected === undefined) throw new Error('there is one')
  await scene.db
    .insertInto('suppressed_opening')
    .values({
      id: randomUUID(),
      workspace_id: scene.workspaceId,
      family_id: affected.family_id,
      version_id: null,
      identity_id: affected.identity_id,
      group_id: affected.group_id,
      vuln_key: cve,
      component: 'pump-lib',
      component_version: '1.0.0',
      version: null,
      document_id: randomUUID(),
      statement: 1,
      verdict: 'not_affected',
      since: start,
      ended_at: null,
    })
    .execute()
  const { workspaceId } = scene
  expect(await listSuppressed(scene.db, { workspaceId, vulnerability: cve.toLowerCase() })).toMatchObject({
    total: 1,
    rows: [{ vulnKey: cve, family: { name: 'Pump' }, verdict: 'not_affected', since: start.toISOString() }],
  })
  expect((await listSuppressed(scene.db, { workspaceId, family: valve.familyId })).total).toBe(0)
  expect((await listSuppressed(scene.db, { workspaceId: foreign.workspaceId })).total).toBe(0)
  expect((await describeOverview(scene.db, await askingAs('viewer'), start)).suppressed).toBe(1)
})

test('a timeline is read from the newest on', async () => {
  await openIn(pumpFamily)
  const [incident] = await scene.incidents()
  const place = { workspaceId: scene.workspaceId, incidentId: incident?.id ?? '' }
  const { rows, total, nextCursor } = await listEntries(scene.db, place, undefined)
  expect([total, nextCursor]).toEqual([1, null])
  expect(rows[0]).toMatchObject({ kind: 'opened', actor: { kind: 'system' }, data: { source: 'kev' } })
})

const authority = { name: 'NSM', portal: 'https://nsm.no/', phone: null }

test('the settings of regimes are changed by what is given, and the change is in the audit trail', async () => {
  const act = { workspaceId: scene.workspaceId, actor: await scene.member('admin'), now: start }
  await changeRegimeSettings(scene.db, act, {
    dora: true,
    mainEstablishment: 'no',
    authorities: { cra: authority },
  })
  await changeRegimeSettings(scene.db, act, { dora: true })
  await changeRegimeSettings(scene.db, act, { authorities: { cra: null } })
  const settings = await scene.db.selectFrom('regime_settings').selectAll().execute()
  expect(settings).toMatchObject([
    { workspace_id: scene.workspaceId, cra: true, dora: true, main_establishment: 'NO', authorities: {} },
  ])
  const acts = await scene.db
    .selectFrom('audit_event')
    .select(['before', 'after'])
    .where('action', '=', 'regimes.changed')
    .orderBy('id')
    .execute()
  expect(acts).toEqual([
    {
      before: { dora: false, mainEstablishment: null, authorities: {} },
      after: { dora: true, mainEstablishment: 'NO', authorities: { cra: authority } },
    },
    { before: { authorities: { cra: authority } }, after: { authorities: {} } },
  ])
})

test('what was made ready is confirmed with a day, by each for itself, and the dashboard knows it', async () => {
  const act = { workspaceId: scene.workspaceId, actor: await scene.member('admin'), now: start }
  const day = start.toISOString().slice(0, 10)
  await changeRegimeSettings(scene.db, act, { confirmed: { account: day, backups: '2026-01-31' } })
  await changeRegimeSettings(scene.db, act, { confirmed: { backups: null } })
  expect(await selectRegimeSettings(scene.db, scene.workspaceId)).toMatchObject({
    confirmed: { account: day },
  })
  expect(await describeOverview(scene.db, await askingAs('admin'), start)).toMatchObject({
    reportsUnderCra: true,
    confirmed: { account: day },
  })
  const acts = await scene.db
    .selectFrom('audit_event')
    .select(['before', 'after'])
    .where('action', '=', 'regimes.changed')
    .orderBy('id')
    .execute()
  expect(acts.at(-1)).toEqual({
    before: { confirmed: { account: day, backups: '2026-01-31' } },
    after: { confirmed: { account: day } },
  })
})

test.each([
  [{ confirmed: { backups: '2026-02-30' } }, 'confirmed/backups'],
  [{ confirmed: { account: '2199-01-01' } }, 'confirmed/account'],
  [{ mainEstablishment: 'Norway' }, 'mainEstablishment'],
  [{ mainEstablishment: 'ZZ' }, 'mainEstablishment'],
  [{ authorities: { cra: { ...authority, name: ' ' } } }, 'authorities/cra/name'],
  [{ authorities: { gdpr: { ...authority, portal: 'javascript:alert(1)' } } }, 'authorities/gdpr/portal'],
  [{ authorities: { dora: { ...authority, phone: '1'.repeat(51) } } }, 'authorities/dora/phone'],
  [{ doraFacts: { entity_lei: '5493001KJTIIGC8Y1R13' } }, 'doraFacts/entity_lei'],
  [{ doraFacts: { reporting_currency: 'EURO' } }, 'doraFacts/reporting_currency'],
  [{ doraFacts: { contact_1_email: 'nobody' } }, 'doraFacts/contact_1_email'],
  [{ doraFacts: { entity_name: 'a\u202eb' } }, 'doraFacts/entity_name'],
  [{ doraFacts: { covered_entities: 'x'.repeat(4_001) } }, 'doraFacts/covered_entities'],
])('settings %j are refused at %s', async (change, field) => {
  const act = { workspaceId: scene.workspaceId, actor: await scene.member('admin'), now: start }
  await expect(changeRegimeSettings(scene.db, act, change)).rejects.toMatchObject({
    code: 'invalid_request',
    fields: { [field]: anyText },
  })
})
