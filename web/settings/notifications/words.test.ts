import { describe, expect, it } from 'vitest'
import { alertTypes } from '#contract/alerts/shapes.ts'
import { stateCapabilities, workspaceStates } from '#contract/workspace/plans.ts'
import { answerWords, eventName, eventsInWords, formatDuration, standstills } from './words.ts'

describe('eventsInWords', () => {
  it.each([
    [[...alertTypes], 'All events'],
    [['report.received', 'incident.opened'], 'Incidents, reports'],
    [['deadline.warning'], 'Deadlines'],
  ] as const)('%j → %s', (events, words) => {
    expect(eventsInWords(events)).toBe(words)
  })
})

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [5_040, '5.0 s'],
])('%i ms are %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words)
})

it.each([
  [{ status: 204, durationMs: 120 }, '204 in 120 ms'],
  [{ status: null, durationMs: 5_000 }, 'after 5.0 s'],
  [{ status: null, durationMs: null }, undefined],
])('%j is %s', (delivery, words) => {
  expect(answerWords(delivery)).toBe(words)
})

it('calls every event by a name', () => {
  expect([...alertTypes, 'test' as const].map(eventName)).toEqual([
    'Incident opened',
    'Deadline near',
    'Approval requested',
    'Report received',
    'Test',
  ])
})

it('says why nothing is posted in every state in which nothing is', () => {
  const silent = workspaceStates.filter((state) => !stateCapabilities[state].destinations)
  expect(Object.keys(standstills).sort()).toEqual(silent.sort())
})
