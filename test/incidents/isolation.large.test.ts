import fc from 'fast-check'
import type { IncidentAct } from '../../src/incidents/record/lock-incident.ts'
import { afterEach, expect, test } from 'vitest'
import { ServiceError } from '../../src/contract/errors.ts'
import type { Regime, ReportStage } from '../../src/contract/alerts/events.ts'
import type { DeterminationValue } from '../../src/contract/incidents/words.ts'
import { changeAwareness } from '../../src/incidents/determinations/change-awareness.ts'
import { decideAwareness } from '../../src/incidents/determinations/decide-awareness.ts'
import { closeIncident } from '../../src/incidents/closing/close-incident.ts'
import { reopenIncident } from '../../src/incidents/closing/reopen-incident.ts'
import {
  decideDetermination,
  withdrawDetermination,
} from '../../src/incidents/determinations/decide-determination.ts'
import { recordDetermination } from '../../src/incidents/determinations/record-determination.ts'
import { changeFacts } from '../../src/incidents/record/facts.ts'
import { switchRegime } from '../../src/incidents/regimes/switch-regime.ts'
import { recordSubmission } from '../../src/incidents/submissions/record-submission.ts'
import { waiveReport } from '../../src/incidents/submissions/waive-report.ts'
import { after, createIncidentScene, start, type IncidentScene } from './incident-scene.ts'
import { openExploited } from './opened.ts'

type How = 'approve' | 'reject' | 'withdraw'

/** An act on the first or the second incident; its kind says which of the reports it may change. */
type Act = { on: 0 | 1 } & (
  | { does: 'determine'; value: DeterminationValue; then: How | 'wait' }
  | { does: 'decide'; scope: 'cra' | 'dora'; how: How }
  | { does: 'submit'; regime: Regime; report: ReportStage }
  | { does: 'waive' }
  | { does: 'switch'; regime: 'cra' | 'gdpr'; active: boolean }
  | { does: 'measure'; hours: number }
  | { does: 'awareness'; hours: number }
  | { does: 'decide awareness'; approve: boolean }
  | { does: 'close' }
  | { does: 'reopen'; as: 'same_facts' | 'new_evidence' }
)

/** An id that does not exist: decides when nothing is pending. */
const nobody = '0190d3a8-0000-7000-8000-000000000000'
const reason = 'We looked at it together and agreed on this.'
const on = fc.constantFrom(0 as const, 1 as const)
const one = <T extends string>(...values: T[]) => fc.constantFrom(...values)
const filed = [
  ['cra', 'early_warning'],
  ['cra', 'notification'],
  ['cra', 'final_report'],
  ['gdpr', 'notification'],
  ['dora', 'initial_notification'],
] as const

const determined = fc.record({
  on,
  does: one('determine'),
  value: one('actively_exploited', 'not_exploited', 'dora_major', 'dora_not_major'),
  then: one('approve', 'reject', 'withdraw', 'wait'),
})
const decided = fc.record({
  on,
  does: one('decide'),
  scope: one('cra', 'dora'),
  how: one('approve', 'reject', 'withdraw'),
})
const submitted = fc
  .tuple(on, fc.constantFrom(...filed))
  .map(([incident, [regime, report]]) => ({ on: incident, does: 'submit' as const, regime, report }))
const others = fc.oneof(
  fc.record({ on, does: one('waive') }),
  fc.record({ on, does: one('switch'), regime: one('cra', 'gdpr'), active: fc.boolean() }),
  fc.record({ on, does: one('measure'), hours: fc.integer({ min: -20, max: 0 }) }),
  fc.record({ on, does: one('awareness'), hours: fc.integer({ min: -40, max: 0 }) }),
  fc.record({ on, does: one('decide awareness'), approve: fc.boolean() }),
  fc.record({ on, does: one('close') }),
  fc.record({ on, does: one('reopen'), as: one('same_facts', 'new_evidence') }),
)
const acts: fc.Arbitrary<Act[]> = fc.array(fc.oneof(determined, decided, submitted, others), {
  minLength: 8,
  maxLength: 8,
})

/** The regime of the act; null: the incident as a whole. */
function regimeOf(act: Act): Regime | null {
  if (act.does === 'determine') return act.value.startsWith('dora_') ? 'dora' : 'cra'
  if (act.does === 'measure') return 'cra'
  if (act.does === 'waive') return 'gdpr'
  return 'regime' in act ? act.regime : 'scope' in act ? act.scope : null
}

const scenes: IncidentScene[] = []
afterEach(async () => {
  await Promise.all(scenes.splice(0).map((scene) => scene.drop()))
})

/** Two incidents on one vulnerability, each with reports under two regimes. */
async function openBoth(scene: IncidentScene) {
  const [eva, per] = [await scene.member('lead', 'Eva'), await scene.member('lead', 'Per')]
  const both = []
  for (const family of ['Pump', 'Valve']) {
    const incidentId = await openExploited(scene, { family })
    const act = { workspaceId: scene.workspaceId, incidentId, actor: eva, now: start }
    await switchRegime(scene.db, { ...act, role: 'lead' }, { regime: 'gdpr', active: true })
    both.push(incidentId)
  }
  return { incidents: both, eva, per }
}

/** A second person approves switching a regime off. */
async function approveSwitch({ db }: IncidentScene, act: IncidentAct): Promise<void> {
  const { id: changeId } = await db
    .selectFrom('awareness_change')
    .select('id')
    .where('incident_id', '=', act.incidentId)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  await decideAwareness(db, { ...act, changeId }, { approve: true })
}

type Opened = Awaited<ReturnType<typeof openBoth>>
type Setting = { scene: IncidentScene; opened: Opened; now: Date }

/** Does an act as a request would. */
async function perform(place: Setting, act: Act): Promise<void> {
  const { scene, opened, now } = place
  const by = (actor: Opened['eva']) => ({
    workspaceId: scene.workspaceId,
    incidentId: opened.incidents[act.on] ?? '',
    actor,
    now,
  })
  const { db } = scene
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()
  if (act.does === 'determine') {
    await recordDetermination(db, by(opened.eva), { value: act.value, reasoning: reason })
    const scope = act.value.startsWith('dora_') ? 'dora' : 'cra'
    if (act.then !== 'wait') await perform(place, { on: act.on, does: 'decide', scope, how: act.then })
  }
  if (act.does === 'switch') {
    const given = { regime: act.regime, active: act.active, reason }
    if (await switchRegime(db, { ...by(opened.eva), role: 'lead' }, given))
      await approveSwitch(scene, by(opened.per))
  }
  if (act.does === 'measure') await changeFacts(db, by(opened.eva), { measureAvailableAt: at(act.hours) })
  if (act.does === 'awareness') await changeAwareness(db, by(opened.eva), { awareAt: at(act.hours), reason })
  if (act.does === 'close') await closeIncident(db, by(opened.eva), { reason })
  if (act.does === 'reopen') await reopenIncident(db, by(opened.eva), { as: act.as, reason })
  if (act.does === 'submit' || act.does === 'waive') await actOnReport(place, by(opened.eva), act)
  if (act.does === 'decide') await decide(place, by(act.how === 'withdraw' ? opened.eva : opened.per), act)
  if (act.does === 'decide awareness') {
    const found = await pendingAwareness(scene, by(opened.per).incidentId)
    const changeId = found?.id ?? nobody
    await decideAwareness(db, { ...by(opened.per), changeId }, { approve: act.approve, comment: reason })
  }
}

type By = Parameters<typeof closeIncident>[1]

async function actOnReport(
  { scene, now }: Setting,
  by: By,
  act: Extract<Act, { does: 'submit' | 'waive' }>,
): Promise<void> {
  const [regime, stage] = act.does === 'waive' ? ['gdpr', 'notification'] : [act.regime, act.report]
  const reports = await scene.reports(by.incidentId)
  const report = reports.findLast((each) => each.regime === regime && each.report === stage)
  if (report === undefined) return
  if (act.does === 'waive') await waiveReport(scene.db, { ...by, reportId: report.id }, { reason })
  else
    await recordSubmission(
      scene.db,
      { ...by, reportId: report.id },
      { kind: 'submission', submittedAt: now.toISOString(), channel: 'Portal', delayReason: reason },
    )
}

async function decide(
  { scene }: Setting,
  by: By,
  { scope, how }: Extract<Act, { does: 'decide' }>,
): Promise<void> {
  const found = await scene.db
    .selectFrom('determination')
    .select('id')
    .where('incident_id', '=', by.incidentId)
    .where('scope', '=', scope)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  const determinationId = found?.id ?? nobody
  if (how === 'withdraw') await withdrawDetermination(scene.db, { ...by, determinationId })
  else
    await decideDetermination(
      scene.db,
      { ...by, determinationId },
      { approve: how === 'approve', comment: reason },
    )
}

function pendingAwareness({ db }: IncidentScene, incidentId: string) {
  return db
    .selectFrom('awareness_change')
    .select('id')
    .where('incident_id', '=', incidentId)
    .where('state', '=', 'pending')
    .executeTakeFirst()
}

/** The reports of each incident by regime. */
async function reportsOf(scene: IncidentScene, { incidents }: Opened) {
  const all = await Promise.all(incidents.map((id) => scene.reports(id)))
  return all.map((reports) =>
    Map.groupBy(
      reports.sort((first, second) => first.id.localeCompare(second.id)),
      ({ regime }) => regime,
    ),
  )
}

/** Acts that changed a report, over all runs. */
const effective = new Set<string>()

async function checkRun(all: readonly Act[]): Promise<void> {
  const scene = await createIncidentScene()
  await scene.reportUnderDora()
  scenes.push(scene)
  const opened = await openBoth(scene)
  let before = await reportsOf(scene, opened)
  for (const [index, act] of all.entries()) {
    const place = { scene, opened, now: after(index + 1) }
    await perform(place, act).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
    })
    const now = await reportsOf(scene, opened)
    const other = 1 - act.on
    expect(now[other]).toEqual(before[other])
    const touched = regimeOf(act)
    const changed = [...(now[act.on] ?? [])].filter(
      ([regime, reports]) => JSON.stringify(reports) !== JSON.stringify(before[act.on]?.get(regime)),
    )
    if (touched !== null)
      expect(changed.map(([regime]) => regime).filter((regime) => regime !== touched)).toEqual([])
    if (changed.length > 0) effective.add(act.does === 'determine' ? `${act.does}, ${act.then}` : act.does)
    before = now
  }
  scenes.splice(scenes.indexOf(scene), 1)
  await scene.drop()
}

test('no act on an incident changes a report of another incident, or of a regime that it is not done under', async () => {
  await fc.assert(fc.asyncProperty(acts, checkRun), { numRuns: 20, seed: 14 })
  // acts that change nothing would prove nothing
  expect([...effective]).toEqual(
    expect.arrayContaining([
      'awareness',
      'determine, approve',
      'determine, wait',
      'measure',
      'submit',
      'switch',
      'waive',
    ]),
  )
}, 600_000)
