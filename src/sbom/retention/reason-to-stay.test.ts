import { describe, expect, it } from 'vitest'
import { keepsAll, type SbomRetention } from '../../contract/sbom/retention.ts'
import { reasonToStay, type ReplacedSbom } from './reason-to-stay.ts'

const replacedAt = new Date('2026-03-01T12:00:00.000Z')
const sbom: ReplacedSbom = {
  id: 'a',
  place: 4,
  replacedAt,
  sizeBytes: 1,
  components: 1,
  isSettled: true,
  namedBy: null,
}
const last = (amount: number): SbomRetention => ({ keep: 'last', amount, isCraLifted: true })
const days = (amount: number): SbomRetention => ({ keep: 'days', amount, isCraLifted: true })
const underCra: SbomRetention = { ...last(1), isCraLifted: false }
const ended = '2020-01-01'

const reason = (
  of: Partial<ReplacedSbom>,
  setting: SbomRetention,
  now: string,
  supportEndsOn: string | null = ended,
) => reasonToStay({ ...sbom, ...of }, { setting, supportEndsOn, now: new Date(now) })

describe('why a replaced SBOM stays', () => {
  it.each<[string, Partial<ReplacedSbom>, SbomRetention, string, string | null]>([
    ['all are kept', {}, keepsAll, '2099-01-01T00:00:00Z', 'setting'],
    [
      'all are kept, whatever was decided',
      {},
      { ...keepsAll, isCraLifted: true },
      '2099-01-01T00:00:00Z',
      'setting',
    ],
    ['one of the last four', { place: 4 }, last(4), '2026-03-02T00:00:00Z', 'setting'],
    ['the fifth of the last four', { place: 5 }, last(4), '2026-03-02T00:00:00Z', null],
    ['replaced less than 30 days ago', {}, days(30), '2026-03-31T11:59:59.999Z', 'setting'],
    ['replaced 30 days ago', {}, days(30), '2026-03-31T12:00:00Z', null],
    ['an incident names it', { namedBy: 'incident' }, last(1), '2099-01-01T00:00:00Z', 'incident'],
    ['a report names it', { namedBy: 'report' }, days(1), '2099-01-01T00:00:00Z', 'report'],
    ['an advisory names it', { namedBy: 'advisory' }, last(1), '2099-01-01T00:00:00Z', 'advisory'],
    ['evidence names it', { namedBy: 'evidence' }, last(1), '2099-01-01T00:00:00Z', 'evidence'],
    [
      'what the setting keeps is told first',
      { namedBy: 'incident' },
      last(9),
      '2026-03-02T00:00:00Z',
      'setting',
    ],
    [
      'what names it is told before the law',
      { namedBy: 'advisory' },
      underCra,
      '2026-03-02T00:00:00Z',
      'advisory',
    ],
    ['it is not matched yet', { isSettled: false }, last(1), '2026-03-02T00:00:00Z', 'matching'],
  ])('%s', (_what, of, setting, now, expected) => {
    expect(reason(of, setting, now)).toBe(expected)
  })
})

describe('CRA Art. 13(13)', () => {
  it.each<[string, string, string | null, string | null]>([
    ['a day after', '2026-03-02T00:00:00Z', ended, 'cra'],
    ['a moment before ten years are over', '2036-03-01T11:59:59.999Z', ended, 'cra'],
    ['ten years after', '2036-03-01T12:00:00Z', ended, null],
    ['the support period is longer', '2038-01-01T00:00:00Z', '2037-12-31', 'cra'],
    ['its last day has ended everywhere', '2038-01-01T12:00:00Z', '2037-12-31', null],
    ['no end of support is known', '2099-01-01T00:00:00Z', null, 'cra'],
  ])('%s', (_what, now, supportEndsOn, expected) => {
    expect(reason({}, underCra, now, supportEndsOn)).toBe(expected)
    expect(reason({}, { ...underCra, isCraLifted: true }, now, supportEndsOn)).toBe(null)
  })

  it('a leap day has its tenth year at the first of March', () => {
    const leap = { replacedAt: new Date('2028-02-29T00:00:00.000Z') }
    expect(reason(leap, underCra, '2038-02-28T23:59:59Z')).toBe('cra')
    expect(reason(leap, underCra, '2038-03-01T00:00:00Z')).toBe(null)
  })
})
