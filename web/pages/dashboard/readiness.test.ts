import { expect, test } from 'vitest'
import type { IncidentOverview } from '../../../src/contract/incidents/waiting.ts'
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
  usersNotInformed: 0,
  approvers: 2,
  destinations: 1,
  lastDrillAt: '2026-03-01T00:00:00.000Z',
  regimesWithoutAuthority: [],
}
const now = Date.parse('2026-10-01T00:00:00.000Z')

test.each([
  ['everything', ready, []],
  ['a regime without authority', { ...ready, regimesWithoutAuthority: ['gdpr' as const] }, ['authorities']],
  ['no destination', { ...ready, destinations: 0 }, ['destination']],
  ['one approver', { ...ready, approvers: 1 }, ['approvers']],
  ['no drill', { ...ready, lastDrillAt: null }, ['drill']],
  ['a drill of long ago', { ...ready, lastDrillAt: '2025-09-01T00:00:00.000Z' }, ['drill']],
])('with %s, open are the right steps', (_name, overview, open) => {
  const items = readinessOf(overview, now)
  expect(items.filter(({ isDone }) => !isDone).map(({ id }) => id)).toEqual(open)
})
