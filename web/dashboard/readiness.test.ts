import { expect, test } from 'vitest'
import type { IncidentOverview } from '#contract/incidents/waiting.ts'
import { readinessOf } from './readiness.ts'

const ready: IncidentOverview = {
  deadlines: [],
  deadlinesTotal: 0,
  approvals: [],
  approvalsTotal: 0,
  openIncidents: 0,
  suppressed: 0,
  inbox: { unanswered: 0, dueSoon: 0, overdue: 0 },
  toReview: 0,
  untaken: 0,
  usersNotInformed: 0,
  approvers: 2,
  destinations: 1,
  lastDrillAt: '2026-03-01T00:00:00.000Z',
  regimesWithoutAuthority: [],
  reportsUnderCra: true,
  confirmed: { account: '2026-03-01', representative: '2026-03-01', backups: '2026-03-01' },
}
const now = Date.parse('2026-10-01T00:00:00.000Z')

test.each([
  ['everything', ready, []],
  ['a regime without authority', { ...ready, regimesWithoutAuthority: ['gdpr' as const] }, ['authorities']],
  ['no CSIRT', { ...ready, regimesWithoutAuthority: ['cra' as const] }, ['csirt']],
  [
    'no account',
    { ...ready, confirmed: { representative: '2026-03-01', backups: '2026-03-01' } },
    ['account'],
  ],
  [
    'no representative',
    { ...ready, confirmed: { backups: '2026-03-01', account: '2026-03-01' } },
    ['representative'],
  ],
  [
    'no backups',
    { ...ready, confirmed: { account: '2026-03-01', representative: '2026-03-01' } },
    ['backups'],
  ],
  [
    'backups of long ago',
    { ...ready, confirmed: { ...ready.confirmed, backups: '2025-09-01' } },
    ['backups'],
  ],
  ['no destination', { ...ready, destinations: 0 }, ['destination']],
  ['one approver', { ...ready, approvers: 1 }, ['approvers']],
  ['no drill', { ...ready, lastDrillAt: null }, ['drill']],
  ['a drill of long ago', { ...ready, lastDrillAt: '2025-09-01T00:00:00.000Z' }, ['drill']],
])('with %s, open are the right steps', (_name, overview, open) => {
  const items = readinessOf(overview, { nowMs: now, goesNowhere: false, timeZone: 'UTC' })
  expect(items.filter(({ isDone }) => !isDone).map(({ id }) => id)).toEqual(open)
})

test('without the Cyber Resilience Act nothing of its platform is asked for', () => {
  const items = readinessOf(
    { ...ready, reportsUnderCra: false, confirmed: {} },
    { nowMs: now, goesNowhere: false, timeZone: 'UTC' },
  )
  expect(items.map(({ id }) => id)).toEqual(['destination', 'authorities', 'approvers', 'backups', 'drill'])
})

test.each([
  [false, 'Members are told by mail and in the bell.'],
  [true, 'Members are told in the bell only: no mail server is configured.'],
])('promises mail only where it is sent (goesNowhere: %s)', (goesNowhere, words) => {
  const [destination] = readinessOf(
    { ...ready, destinations: 0 },
    { nowMs: now, goesNowhere, timeZone: 'UTC' },
  )
  expect(destination?.why).toContain(words)
})

test('the day of the last drill is one of the workspace', () => {
  const lastDrillAt = '2026-03-01T23:30:00.000Z'
  const items = readinessOf(
    { ...ready, lastDrillAt },
    { nowMs: now, goesNowhere: false, timeZone: 'Europe/Oslo' },
  )
  expect(items.find(({ id }) => id === 'drill')?.why).toContain('2 Mar 2026')
})
