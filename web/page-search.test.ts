import { describe, expect, it } from 'vitest'
import { companyReturnSearch, returnPath } from './sign-in/area.ts'
import { familiesSearch, familySearch } from './families/area.ts'
import { metricsSearch } from './metrics/area.ts'
import { notificationsSearch, tokensSearch } from './settings/area.ts'
import { sbomSearch } from './sboms/area.ts'
import { vexSearch } from './vex/area.ts'

describe('returnPath leads only to pages of this application', () => {
  it.each([
    ['/acme', '/acme'],
    ['/acme/families?archived=true', '/acme/families?archived=true'],
    ['https://evil.example', undefined],
    ['//evil.example', undefined],
    ['/\\evil.example', undefined],
    ['/\t/evil.example', undefined],
    ['/ /evil.example', undefined],
    ['javascript:alert(1)', undefined],
    ['acme', undefined],
    ['', undefined],
    [undefined, undefined],
    [7, undefined],
  ])('%j → %j', (value, path) => {
    expect(returnPath(value)).toBe(path)
  })
})

describe('what an issuer sends the browser back with', () => {
  it.each([
    [
      { code: 'x'.repeat(2000), state: 's' },
      { code: 'x'.repeat(2000), state: 's' },
    ],
    [
      { error: 'access_denied', session_state: 17, iss: 'https://id.acme.example' },
      { error: 'access_denied', session_state: '17', iss: 'https://id.acme.example' },
    ],
    [{ code: ['a', 'b'], state: '' }, { state: '' }],
    [{}, {}],
  ])('%j → %j', (raw, search) => {
    expect(companyReturnSearch(raw)).toEqual(search)
  })
})

describe('what the address holds', () => {
  it.each([
    [{}, {}],
    [{ tab: 'quality' }, { tab: 'quality' }],
    [{ tab: 'elsewhere', severity: 'huge', sort: 'random', grade: 1 }, {}],
    [
      { exploited: true, severity: 'critical', search: 123 },
      { exploited: true, severity: 'critical', search: '123' },
    ],
    [{ exploited: 'false', search: '' }, {}],
    [{ verdict: 'not_affected' }, { verdict: 'not_affected' }],
    [{ verdict: 'harmless' }, {}],
    [{ sort: 'epss' }, { sort: 'epss' }],
    [{ cursor: 'x' }, {}],
    [{ search: ['a', 'b'] }, {}],
    [{ search: 'x'.repeat(500) }, { search: 'x'.repeat(400) }],
  ])('of an SBOM page: %j → %j', (raw, search) => {
    expect(sbomSearch(raw)).toEqual(search)
  })

  it('of the lists', () => {
    expect(familiesSearch({ archived: 'true', dialog: 'delete' })).toEqual({ archived: true })
    expect(tokensSearch({ dialog: 'create', family: 'f-1', other: 1 })).toEqual({
      dialog: 'create',
      family: 'f-1',
    })
    expect(familySearch({ tab: 'vex', state: 'withdrawn', version: '' })).toEqual({
      tab: 'vex',
      state: 'withdrawn',
    })
    expect(notificationsSearch({ dialog: 'edit', failed: 'd-1', problem: 7 })).toEqual({
      failed: 'd-1',
      problem: '7',
    })
    expect(vexSearch({ show: 'all', statement: 12 })).toEqual({ statement: '12' })
  })
})

it.each([
  [{ days: 30 }, { days: '30' }],
  [
    { days: '365', family: 'f-1' },
    { days: '365', family: 'f-1' },
  ],
  [{ days: 31, family: '' }, {}],
])('the metrics of %j', (raw, search) => {
  expect(metricsSearch(raw)).toEqual(search)
})
