import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { regimes, type ReportStage } from '../../contract/alerts/events.ts'
import type { ReportStatus } from '../../contract/incidents/words.ts'
import { dueAt, reportStatus, type ClockFacts, type ReportClock } from './report-clock.ts'
import { clockRules, craReportingFrom, rulesFor, type ClockRule } from './rules.ts'

const at = (text: string) => new Date(text)
const noFacts: ClockFacts = {
  awareAt: at('2026-11-02T08:00:00Z'),
  measureAvailableAt: null,
  classifiedAt: null,
  submissions: [],
  timeZone: 'Europe/Oslo',
}

function ruleOf(
  regime: ClockRule['regime'],
  report: ReportStage,
  kind: 'vulnerability' | 'severe_incident',
): ClockRule {
  const [rule, ...others] = rulesFor(regime, kind, noFacts.awareAt).filter((each) => each.report === report)
  if (rule === undefined || others.length > 0) throw new Error(`${regime} has not one rule for ${report}`)
  return rule
}

type Case = [name: string, rule: ClockRule, facts: Partial<ClockFacts>, due: string | null]

const exploited = 'vulnerability'
const severe = 'severe_incident'
const filed = (report: ReportStage, time: string) => ({ report, at: at(time) })

const cases: Case[] = [
  ['CRA early warning', ruleOf('cra', 'early_warning', exploited), {}, '2026-11-03T08:00:00Z'],
  ['CRA notification', ruleOf('cra', 'notification', severe), {}, '2026-11-05T08:00:00Z'],
  ['CRA final report waits for a measure', ruleOf('cra', 'final_report', exploited), {}, null],
  [
    'CRA final report: a fix older than the awareness counts from the awareness',
    ruleOf('cra', 'final_report', exploited),
    { measureAvailableAt: at('2026-10-01T00:00:00Z') },
    '2026-11-16T08:00:00Z',
  ],
  [
    'CRA final report: 14 days from the measure, not from the awareness',
    ruleOf('cra', 'final_report', exploited),
    { measureAvailableAt: at('2026-11-20T10:00:00Z') },
    '2026-12-04T10:00:00Z',
  ],
  [
    'CRA final report of a severe incident: a month from the submission of the notification',
    ruleOf('cra', 'final_report', severe),
    {
      submissions: [
        filed('early_warning', '2026-11-02T10:00:00Z'),
        filed('notification', '2026-11-04T10:00:00Z'),
      ],
    },
    '2026-12-04T10:00:00Z',
  ],
  [
    'Norwegian final report: a month from the first submission',
    ruleOf('digitalsikkerhetsloven', 'final_report', severe),
    {
      submissions: [
        filed('notification', '2026-11-04T10:00:00Z'),
        filed('early_warning', '2026-11-02T10:00:00Z'),
      ],
    },
    '2026-12-02T10:00:00Z',
  ],
  ['GDPR notification', ruleOf('gdpr', 'notification', severe), {}, '2026-11-05T08:00:00Z'],
  ['DORA waits for a classification', ruleOf('dora', 'initial_notification', severe), {}, null],
  [
    'DORA: four hours from the classification',
    ruleOf('dora', 'initial_notification', severe),
    { classifiedAt: at('2026-11-02T09:00:00Z') },
    '2026-11-02T13:00:00Z',
  ],
  [
    'DORA: at the latest a day from the awareness',
    ruleOf('dora', 'initial_notification', severe),
    { classifiedAt: at('2026-11-03T06:00:00Z') },
    '2026-11-03T08:00:00Z',
  ],
  [
    'DORA: classified after that day',
    ruleOf('dora', 'initial_notification', severe),
    { classifiedAt: at('2026-11-05T10:00:00Z') },
    '2026-11-05T14:00:00Z',
  ],
  [
    'DORA intermediate: from the submission of the initial notification, not from when that was due',
    ruleOf('dora', 'intermediate_report', severe),
    {
      classifiedAt: at('2026-11-02T09:00:00Z'),
      submissions: [filed('initial_notification', '2026-11-02T10:30:00Z')],
    },
    '2026-11-05T10:30:00Z',
  ],
  [
    'DORA final: a month from the last intermediate report',
    ruleOf('dora', 'final_report', severe),
    {
      submissions: [
        filed('intermediate_report', '2026-11-20T10:00:00Z'),
        filed('intermediate_report', '2026-11-05T10:00:00Z'),
      ],
    },
    '2026-12-20T10:00:00Z',
  ],
]

test.each(cases)('%s', (_name, rule, facts, due) => {
  expect(dueAt(rule, { ...noFacts, ...facts })).toEqual(due === null ? null : new Date(due))
})

const both = 'vulnerability, severe_incident'
/** The table of the rules, row by row: regime, kinds, report, what it is counted from, how long, and how many hours before people are warned. */
const rows: [regime: string, kinds: string, report: string, anchor: string, period: string, lead: number][] =
  [
    ['cra', both, 'early_warning', 'awareness', '24 hours', 4],
    ['cra', both, 'notification', 'awareness', '72 hours', 4],
    ['cra', 'vulnerability', 'final_report', 'measure', '14 days', 72],
    ['cra', 'severe_incident', 'final_report', 'notification', '1 months', 72],
    ['digitalsikkerhetsloven', both, 'early_warning', 'awareness', '24 hours', 4],
    ['digitalsikkerhetsloven', both, 'notification', 'awareness', '72 hours', 4],
    ['digitalsikkerhetsloven', both, 'final_report', 'first_submission', '1 months', 72],
    ['gdpr', both, 'notification', 'awareness', '72 hours', 4],
    ['dora', both, 'initial_notification', 'classification', '4 hours, within 24 hours', 1],
    ['dora', both, 'intermediate_report', 'initial_notification', '72 hours', 4],
    ['dora', both, 'final_report', 'intermediate_report', '1 months', 72],
  ]

test('every report has the anchor, the period and the lead of its law', () => {
  const words = ({ amount, unit }: ClockRule['period']) => `${amount} ${unit}`
  const known = clockRules.map(({ regime, kinds, report, anchor, period, withinOfAwareness, leadHours }) => {
    const within = withinOfAwareness === undefined ? '' : `, within ${words(withinOfAwareness)}`
    return [regime, kinds.join(', '), report, anchor, `${words(period)}${within}`, leadHours]
  })
  expect(known).toEqual(rows)
})

test('an awareness before the CRA applied makes no report of it', () => {
  const before = new Date(craReportingFrom.getTime() - 1)
  expect(rulesFor('cra', 'vulnerability', before)).toEqual([])
  expect(rulesFor('cra', 'vulnerability', craReportingFrom)).toHaveLength(3)
  expect(rulesFor('gdpr', 'vulnerability', before)).toHaveLength(1)
})

test('every regime has rules, and says where they come from', () => {
  expect(new Set(clockRules.map(({ regime }) => regime))).toEqual(new Set(regimes))
  for (const { basis } of clockRules) expect(basis).not.toBe('')
})

describe('the status of a report', () => {
  const open: ReportClock = {
    state: 'open',
    dueAt: at('2026-11-03T08:00:00Z'),
    submittedAt: null,
    leadHours: 4,
  }
  const table: [name: string, clock: ReportClock, now: string, status: ReportStatus][] = [
    ['open', open, '2026-11-03T03:59:59.999Z', 'open'],
    ['due soon from the lead on', open, '2026-11-03T04:00:00Z', 'due_soon'],
    ['due soon to the last instant', open, '2026-11-03T08:00:00Z', 'due_soon'],
    ['overdue', open, '2026-11-03T08:00:00.001Z', 'overdue'],
    ['waiting', { ...open, state: 'waiting', dueAt: null }, '2026-11-03T09:00:00Z', 'waiting'],
    ['not required', { ...open, state: 'not_required' }, '2026-11-03T09:00:00Z', 'not_required'],
    [
      'submitted in time',
      { ...open, state: 'submitted', submittedAt: at('2026-11-03T08:00:00Z') },
      '2026-11-09T08:00:00Z',
      'submitted',
    ],
    [
      'submitted late',
      { ...open, state: 'submitted', submittedAt: at('2026-11-03T08:00:00.001Z') },
      '2026-11-09T08:00:00Z',
      'late',
    ],
  ]
  test.each(table)('%s', (_name, clock, now, status) => {
    expect(reportStatus(clock, at(now))).toBe(status)
  })
})

const instant = fc.date({ min: new Date('2026-09-12'), max: new Date('2036-01-01'), noInvalidDate: true })
const stage = fc.constantFrom<ReportStage>(
  'early_warning',
  'notification',
  'initial_notification',
  'intermediate_report',
)

test('nothing that happens makes a report due later than its rule allows', () => {
  const facts = fc.record({
    awareAt: instant,
    measureAvailableAt: fc.option(instant),
    classifiedAt: fc.option(instant),
    submissions: fc.array(fc.record({ report: stage, at: instant }), { maxLength: 6 }),
    timeZone: fc.constantFrom('Europe/Oslo', 'America/New_York', 'Pacific/Auckland'),
  })
  fc.assert(
    fc.property(facts, fc.constantFrom(...clockRules), (known, rule) => {
      const due = dueAt(rule, known)
      if (due === null) return
      const instants = [
        known.awareAt,
        known.measureAvailableAt ?? known.awareAt,
        known.classifiedAt ?? known.awareAt,
        ...known.submissions.map((submission) => submission.at),
      ].map((date) => date.getTime())
      const { amount, unit } = rule.period
      const maxMs = { hours: amount, days: amount * 24 + 1, months: amount * 31 * 24 + 1 }[unit] * 3_600_000
      expect(due.getTime()).toBeLessThanOrEqual(Math.max(...instants) + maxMs)
    }),
  )
})
