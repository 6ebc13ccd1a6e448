import { expect, it } from 'vitest'
import { filterStep } from './filter-step.ts'

it.each([
  ['a filter is set', {}, { severity: 'high' }, false],
  ['a filter is taken off', { severity: 'high', search: 'a' }, { search: 'a' }, false],
  ['another order', { sort: 'epss' }, {}, false],
  ['a search begins', {}, { search: 'log' }, false],
  ['a search is typed on', { search: 'log' }, { search: 'log4j' }, true],
  ['a search is cleared', { search: 'log4j' }, {}, false],
  ['a search changes together with a filter', { search: 'a' }, { search: 'ab', severity: 'high' }, false],
  ['a drawer opens', { severity: 'high' }, { severity: 'high', finding: '1' }, true],
  ['a drawer closes', { event: '7' }, {}, true],
  ['a filter is set and the drawer closes', { event: '7' }, { object: 'x' }, false],
  ['nothing changes', { severity: 'high' }, { severity: 'high', sort: undefined }, true],
])('%s', (_what, from, to, replace) => {
  expect(filterStep(from, to)).toEqual({ replace, resetScroll: false })
})
