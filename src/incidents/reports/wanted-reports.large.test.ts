import fc from 'fast-check'
import { hourMs } from '../../contract/durations.ts'
import { describe, expect, test } from 'vitest'
import { regimes, reportStages, type Regime, type ReportStage } from '../../contract/alerts/events.ts'
import {
  incidentKinds,
  negativeValues,
  valuesFor,
  type IncidentKind,
} from '../../contract/incidents/words.ts'
import { waiverOf, type DeterminationFacts } from '../determinations/waiver.ts'
import { wantedReports, type ReportFacts, type WantedReport } from './wanted-reports.ts'
const beforeTheLaw = Date.UTC(2026, 8, 1)

/** What can be done to an incident, in an order that the service would allow. */
type Step =
  | { act: 'aware' | 'measure' | 'classified'; at: Date }
  | { act: 'no_measure' }
  | { act: 'zone'; zone: string }
  | { act: 'regime'; regime: Regime; isActive: boolean }
  | { act: 'regime_aware'; regime: Regime; at: Date }
  | { act: 'no_risk' }
  | { act: 'file'; regime: Regime; report: ReportStage; hoursLater: number }
  | { act: 'record'; scope: 'cra' | 'dora'; pick: number }
  | { act: 'decide'; scope: 'cra' | 'dora'; state: 'approved' | 'rejected' | 'withdrawn' }

type Incident = ReportFacts & { determinations: DeterminationFacts[]; clock: number }

const instant = fc.date({
  min: new Date(beforeTheLaw),
  max: new Date(Date.UTC(2028, 5, 1)),
  noInvalidDate: true,
})
const scope = fc.constantFrom('cra' as const, 'dora' as const)
const regime = fc.constantFrom(...regimes)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ act: fc.constantFrom('aware', 'measure', 'classified'), at: instant }),
    fc.record({ act: fc.constant('no_measure') }),
    fc.record({
      act: fc.constant('zone'),
      zone: fc.constantFrom('Europe/Oslo', 'UTC', 'Pacific/Auckland', 'America/St_Johns'),
    }),
    fc.record({ act: fc.constant('regime'), regime, isActive: fc.boolean() }),
    fc.record({ act: fc.constant('regime_aware'), regime, at: instant }),
    fc.record({ act: fc.constant('no_risk') }),
    fc.record({
      act: fc.constant('file'),
      regime,
      report: fc.constantFrom(...reportStages),
      hoursLater: fc.nat(2_000),
    }),
    fc.record({ act: fc.constant('record'), scope, pick: fc.nat(2) }),
    fc.record({
      act: fc.constant('decide'),
      scope,
      state: fc.constantFrom('approved', 'rejected', 'withdrawn'),
    }),
  ),
  { maxLength: 25 },
)

function newIncident(kind: IncidentKind): Incident {
  const awareAt = new Date('2026-10-24T23:30:00.000Z')
  const facts = (each: Regime) => ({
    regime: each,
    isActive: each === 'cra',
    awareAt: null,
    classifiedAt: null,
    waiver: null,
  })
  return {
    kind,
    awareAt,
    measureAvailableAt: null,
    timeZone: 'Europe/Oslo',
    regimes: regimes.map(facts),
    submissions: [],
    determinations: [],
    clock: awareAt.getTime(),
  }
}

const changed = (incident: Incident, of: Regime, change: Partial<ReportFacts['regimes'][number]>) =>
  incident.regimes.map((each) => (each.regime === of ? { ...each, ...change } : each))

function take(incident: Incident, step: Step): Incident {
  const clock = incident.clock + 1
  const next = { ...incident, clock }
  switch (step.act) {
    case 'aware':
      return { ...next, awareAt: step.at }
    case 'measure':
      return { ...next, measureAvailableAt: step.at }
    case 'no_measure':
      return { ...next, measureAvailableAt: null }
    case 'classified':
      return { ...next, regimes: changed(next, 'dora', { classifiedAt: step.at, isActive: true }) }
    case 'zone':
      return { ...next, timeZone: step.zone }
    case 'regime':
      return { ...next, regimes: changed(next, step.regime, { isActive: step.isActive }) }
    case 'regime_aware':
      return { ...next, regimes: changed(next, step.regime, { awareAt: step.at }) }
    case 'no_risk':
      return { ...next, regimes: changed(next, 'gdpr', { waiver: 'no_risk' }) }
    case 'file':
      return { ...next, submissions: filed(next, step) }
    case 'record':
      return { ...next, determinations: recorded(next, step) }
    case 'decide':
      return { ...next, determinations: decided(next, step) }
  }
}

/** Each report once; a further one is an update, which only the intermediate report has. */
function filed({ submissions, awareAt }: Incident, step: Extract<Step, { act: 'file' }>) {
  const { regime: of, report, hoursLater } = step
  const known = submissions.filter((each) => each.regime === of && each.report === report)
  if (known.length > 0 && report !== 'intermediate_report') return submissions
  const after = Math.max(awareAt.getTime(), ...known.map(({ at }) => at.getTime()))
  return [...submissions, { regime: of, report, at: new Date(after + hoursLater * hourMs) }]
}

function recorded({ determinations, kind, clock }: Incident, step: Extract<Step, { act: 'record' }>) {
  if (determinations.some((each) => each.scope === step.scope && each.state === 'pending'))
    return determinations
  const values = valuesFor[kind][step.scope]
  const value = values[step.pick % values.length]
  if (value === undefined) return determinations
  const isNegative = negativeValues.includes(value)
  return [
    ...(isNegative ? determinations : superseded(determinations, step.scope)),
    { scope: step.scope, value, state: 'pending' as const, recordedAt: new Date(clock), decidedAt: null },
  ]
}

function decided({ determinations, clock }: Incident, step: Extract<Step, { act: 'decide' }>) {
  const pending = determinations.find((each) => each.scope === step.scope && each.state === 'pending')
  if (pending === undefined) return determinations
  const others = determinations.filter((each) => each !== pending)
  const before = step.state === 'approved' ? superseded(others, step.scope) : others
  return [...before, { ...pending, state: step.state, decidedAt: new Date(clock) }]
}

const superseded = (all: DeterminationFacts[], of: string): DeterminationFacts[] =>
  all.map((each) =>
    each.scope === of && each.state === 'approved' ? { ...each, state: 'superseded' as const } : each,
  )

function reportsOf(incident: Incident): WantedReport[] {
  const waivers = incident.regimes.map((each) =>
    each.regime === 'cra' || each.regime === 'dora'
      ? { ...each, waiver: waiverOf(each.regime, incident.determinations) }
      : each,
  )
  return wantedReports({ ...incident, regimes: waivers })
}

/** Every state that the steps lead through. */
function* statesOf(kind: IncidentKind, all: readonly Step[]): Generator<Incident> {
  let incident = newIncident(kind)
  yield incident
  for (const step of all) {
    incident = take(incident, step)
    yield incident
  }
}

/** The wall clock of an instant, as text that sorts. */
const wall = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)

function wallAfter(anchor: Date, timeZone: string, { days = 0, months = 0 }): string {
  const [date = '', time = ''] = wall(anchor, timeZone).split(' ')
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  const end = new Date(Date.UTC(year, month - 1 + months, Math.min(day, months === 0 ? day : lastDay) + days))
  return `${end.toISOString().slice(0, 10)} ${time}`
}

type Limit = { at: number } | { wall: string } | 'waits'
const hoursAfter = (at: Date, hours: number): Limit => ({ at: at.getTime() + hours * hourMs })

/** The rule of every report as the law has it, written a second time: the latest instant that may be named. */
function latest(facts: ReportFacts, of: Regime, report: ReportStage): Limit {
  const own = facts.regimes.find((each) => each.regime === of)
  const awareAt = own?.awareAt ?? facts.awareAt
  const times = facts.submissions.filter((each) => each.regime === of)
  const filedAt = (stage: ReportStage) => times.filter((each) => each.report === stage).map(({ at }) => at)
  const first = (dates: Date[]) => dates.sort((a, b) => a.getTime() - b.getTime())[0]
  const month = (anchor: Date | undefined): Limit =>
    anchor === undefined ? 'waits' : { wall: wallAfter(anchor, facts.timeZone, { months: 1 }) }
  if (of === 'dora' && report === 'initial_notification') {
    const { classifiedAt } = own ?? {}
    if (classifiedAt === null || classifiedAt === undefined) return 'waits'
    const fromAwareness = awareAt.getTime() + 24 * hourMs
    const fromClassification = classifiedAt.getTime() + 4 * hourMs
    return {
      at:
        classifiedAt.getTime() > fromAwareness
          ? fromClassification
          : Math.min(fromAwareness, fromClassification),
    }
  }
  if (report === 'intermediate_report') {
    const anchor = first(filedAt('initial_notification'))
    return anchor === undefined ? 'waits' : hoursAfter(anchor, 72)
  }
  if (report === 'early_warning') return hoursAfter(awareAt, 24)
  if (report === 'notification') return hoursAfter(awareAt, 72)
  if (of === 'dora') return month(filedAt('intermediate_report').at(-1))
  if (of === 'digitalsikkerhetsloven') return month(first(times.map(({ at }) => at)))
  if (facts.kind === 'severe_incident') return month(first(filedAt('notification')))
  if (facts.measureAvailableAt === null) return 'waits'
  const anchor = facts.measureAvailableAt > awareAt ? facts.measureAvailableAt : awareAt
  return { wall: wallAfter(anchor, facts.timeZone, { days: 14 }) }
}

function isInTime({ regime: of, report, dueAt }: WantedReport, facts: ReportFacts): boolean {
  const limit = latest(facts, of, report)
  if (limit === 'waits' || dueAt === null) return limit === 'waits' && dueAt === null
  return 'at' in limit ? dueAt.getTime() === limit.at : wall(dueAt, facts.timeZone) <= limit.wall
}

/** What alone ends a report without a submission. */
function mayEnd({ regime: of, reason }: WantedReport, incident: Incident): boolean {
  const own = incident.regimes.find((each) => each.regime === of)
  const inScope = incident.determinations.filter((each) => each.scope === of)
  switch (reason) {
    case 'determination':
      return inScope.some(({ value, state }) => negativeValues.includes(value) && state === 'approved')
    case 'classification_rejected':
      return (
        of === 'dora' && inScope.some(({ value, state }) => value === 'dora_major' && state === 'rejected')
      )
    case 'regime_off':
      return own?.isActive === false
    case 'no_risk':
      return of === 'gdpr' && own?.waiver === 'no_risk'
    case 'before_application':
      return of === 'cra' && (own?.awareAt ?? incident.awareAt) < new Date('2026-09-10T22:00:00.000Z')
    case null:
      return false
  }
}

const runs = { numRuns: 400 }

describe.each(incidentKinds)('whatever is done to an incident of kind %s', (kind) => {
  test('no report is due later than its rule allows, and each waits for its anchor alone', () => {
    fc.assert(
      fc.property(steps, (all) => {
        for (const incident of statesOf(kind, all)) {
          const late = reportsOf(incident).filter((report) => !isInTime(report, incident))
          expect(late).toEqual([])
        }
      }),
      runs,
    )
  })

  test('a report ends without a submission only by what the law or a second person says', () => {
    fc.assert(
      fc.property(steps, (all) => {
        for (const incident of statesOf(kind, all)) {
          const ended = reportsOf(incident).filter(({ state }) => state === 'not_required')
          expect(ended.filter((report) => !mayEnd(report, incident))).toEqual([])
        }
      }),
      runs,
    )
  })

  test('a negative determination that waits changes nothing', () => {
    fc.assert(
      fc.property(steps, (all) => {
        for (const incident of statesOf(kind, all)) {
          const determinations = incident.determinations.filter(
            ({ value, state }) => !(state === 'pending' && negativeValues.includes(value)),
          )
          expect(reportsOf(incident)).toEqual(reportsOf({ ...incident, determinations }))
        }
      }),
      runs,
    )
  })

  test('what was submitted stays submitted, since the same moment', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const known = new Map<string, number | undefined>()
        for (const incident of statesOf(kind, all)) {
          const submitted = reportsOf(incident).filter(({ state }) => state === 'submitted')
          const now = new Map(
            submitted.map(({ regime: of, report, submittedAt }) => [
              `${of} ${report}`,
              submittedAt?.getTime(),
            ]),
          )
          for (const [report, at] of known) expect([report, now.get(report)]).toEqual([report, at])
          for (const [report, at] of now) known.set(report, at)
        }
      }),
      runs,
    )
  })

  test('an act under one regime changes no report of another', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const states = [...statesOf(kind, all)]
        for (const [index, step] of all.entries()) {
          const touched = 'regime' in step ? step.regime : 'scope' in step ? step.scope : undefined
          const [before, after] = [states[index], states[index + 1]]
          if (touched === undefined || before === undefined || after === undefined) continue
          const others = (incident: Incident) =>
            reportsOf(incident).filter(({ regime: of }) => of !== touched)
          expect(others(after)).toEqual(others(before))
        }
      }),
      runs,
    )
  })
})
