import { expect, test } from 'vitest'
import { progressText } from './progress.ts'

const cases: [string, Parameters<typeof progressText>, string][] = [
  [
    'at the beginning there is no rate',
    [
      { label: 'npm', done: 0, total: 900 },
      { done: 0, ms: 0 },
    ],
    'npm: 0 of 900',
  ],
  [
    'nor in the first second',
    [
      { label: 'npm', done: 500, total: 900 },
      { done: 500, ms: 999 },
    ],
    'npm: 500 of 900',
  ],
  [
    'rate and time left',
    [
      { label: 'npm', done: 1_000, total: 4_000 },
      { done: 1_000, ms: 2_000 },
    ],
    'npm: 1000 of 4000, 500 a second, 6 s left',
  ],
  [
    'a second that has begun counts',
    [
      { label: 'npm', done: 1_000, total: 1_001 },
      { done: 1_000, ms: 2_000 },
    ],
    'npm: 1000 of 1001, 500 a second, 1 s left',
  ],
  [
    'minutes',
    [
      { label: 'npm', done: 1_000, total: 101_000 },
      { done: 1_000, ms: 1_000 },
    ],
    'npm: 1000 of 101000, 1000 a second, 1 min 40 s left',
  ],
  [
    'hours',
    [
      { label: 'npm', done: 1_000, total: 7_300_000 },
      { done: 1_000, ms: 1_000 },
    ],
    'npm: 1000 of 7300000, 1000 a second, 2 h 1 min left',
  ],
  [
    'what was done before the label began counts for no rate',
    [
      { label: 'npm', done: 900, total: 1_000 },
      { done: 200, ms: 2_000 },
    ],
    'npm: 900 of 1000, 100 a second, 1 s left',
  ],
  [
    'a total nobody knows',
    [
      { label: 'records', done: 1_000, total: null },
      { done: 1_000, ms: 4_000 },
    ],
    'records: 1000, 250 a second',
  ],
  [
    'the end',
    [
      { label: 'npm', done: 900, total: 900 },
      { done: 900, ms: 3_000 },
    ],
    'npm: 900 of 900, 300 a second',
  ],
  [
    'work that does not advance',
    [
      { label: 'npm', done: 0, total: 900 },
      { done: 0, ms: 9_000 },
    ],
    'npm: 0 of 900',
  ],
]

test.each(cases)('%s', (_name, given, expected) => {
  expect(progressText(...given)).toBe(expected)
})
