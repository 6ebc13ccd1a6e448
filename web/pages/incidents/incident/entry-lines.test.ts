import { expect, test } from 'vitest'
import { linesOf } from './entry-lines.ts'

test.each<[Record<string, unknown>, string[]]>([
  [{}, []],
  [
    {
      source: 'kev',
      count: 3,
      matches: [{ component: 'log4j-core', componentVersion: '2.14.1', version: '1.0' }],
    },
    ['log4j-core 2.14.1 in version 1.0', 'and 2 more'],
  ],
  [
    { regime: 'cra', report: 'early_warning', dueAt: '2026-10-02T08:00:00.000Z' },
    ['CRA, early warning', 'Due 2 Oct 2026, 10:00 CEST'],
  ],
  [
    { scope: 'cra', value: 'not_affected', state: 'approved', selfApproved: true },
    ['Not affected: approved', 'Approved without second person'],
  ],
  [
    { before: { memberStates: [], title: 'a' }, after: { memberStates: ['NO', 'DE'], title: 'b' } },
    ['Available in: none → NO, DE', 'Title: a → b'],
  ],
  [{ person: null }, ['To nobody']],
  [{ text: 'Two\nlines', mentions: ['Olga', 'Per'] }, ['Two\nlines', 'Told: Olga, Per']],
  [
    { from: '2026-10-02T08:00:00.000Z', to: '2026-10-02T09:00:00.000Z' },
    ['2 Oct 2026, 10:00 CEST → 2 Oct 2026, 11:00 CEST'],
  ],
  [{ unknown: { deep: 1 } }, []],
])('%j is told as %j', (data, lines) => {
  expect(linesOf({ data }, 'Europe/Oslo')).toEqual(lines)
})
