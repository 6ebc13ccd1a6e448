import { describe, expect, it } from 'vitest'
import { RefusedData } from '../../documents/refused-data.ts'
import { affectedMatches } from './affected-matches.ts'

const pump = 'cpe:2.3:a:acme:pump:*:*:*:*:*:*:*:*'

/** The bounds in words: `[1.0, 2.0)`, `[0, *)` for every version. */
function intervals(versions: unknown[], entry: Record<string, unknown> = { cpes: [pump] }): string[] {
  return affectedMatches([{ ...entry, versions }], 'file').map((match) => {
    const lower = match.startIncluding ?? ''
    const upper = match.endIncluding ?? match.endExcluding ?? '*'
    const doubt = match.hasUnorderedChange === true ? ' perhaps' : ''
    return `[${lower}, ${upper}${match.endIncluding === null ? ')' : ']'}${doubt}`
  })
}

const affected = (version: unknown, more: Record<string, unknown> = {}) => ({
  version,
  status: 'affected',
  ...more,
})

describe('affectedMatches', () => {
  it.each<[rule: string, version: Record<string, unknown>, expected: string[]]>([
    ['one version is exactly it', affected('1.0'), ['[1.0, 1.0]']],
    ['a range', affected('1.0', { lessThan: '2.0' }), ['[1.0, 2.0)']],
    ['a range with its end', affected('1.0', { lessThanOrEqual: '2.0' }), ['[1.0, 2.0]']],
    ['0 is an open start', affected('0', { lessThan: '2.0' }), ['[, 2.0)']],
    ['* is an open start', affected('*', { lessThanOrEqual: '2.0' }), ['[, 2.0]']],
    ['n/a is an open start', affected('N/A', { lessThan: '2.0' }), ['[, 2.0)']],
    ['- is an open start', affected('-', { lessThan: '2.0' }), ['[, 2.0)']],
    ['unspecified is an open start', affected('unspecified', { lessThan: '2.0' }), ['[, 2.0)']],
    ['no start is an open one', affected(undefined, { lessThan: '2.0' }), ['[, 2.0)']],
    ['an end that is left open', affected('1.0', { lessThan: '*' }), ['[1.0, *)']],
    ['an end nobody knows', affected('1.0', { lessThan: 'unspecified' }), ['[1.0, *)']],
    ['an end below everything', affected('1.0', { lessThan: '0' }), ['[1.0, 0)']],
    ['every version, said so', affected('0', { lessThanOrEqual: '*' }), ['[0, *)']],
    ['nothing known of both ends', affected('n/a', { lessThan: 'unspecified' }), []],
    ['a placeholder alone', affected('n/a'), []],
    ['an open start alone', affected('0'), []],
    ['any version alone', affected('*'), []],
    ['unaffected', { version: '1.0', status: 'unaffected' }, []],
    ['unknown', { version: '1.0', status: 'unknown' }, []],
    ['no status', { version: '1.0' }, []],
    ['commits have no order', affected('1da177e4c3f4', { lessThan: '5d41', versionType: 'git' }), []],
    ['a version that is no text', affected(7), []],
    ['a version as CPE writes it', affected('15.1\\(1\\)XB'), ['[15.1(1)XB, 15.1(1)XB]']],
    ['a range as CPE writes it', affected('1\\+1', { lessThan: '2\\~1' }), ['[1+1, 2~1)']],
    ['a long text is cut', affected('1'.repeat(600)), [`[${'1'.repeat(512)}, ${'1'.repeat(512)}]`]],
  ])('%s', (_rule, version, expected) => {
    expect(intervals([version])).toEqual(expected)
  })

  const until = (at: string, status = 'unaffected') => ({ at, status })
  it.each<[rule: string, changes: unknown[], expected: string[]]>([
    ['a change inside ends it', [until('1.4')], ['[1.0, 1.4)']],
    ['a change at the end says nothing new', [until('2.0')], ['[1.0, 2.0)']],
    ['a change behind the end does not count', [until('3.0')], ['[1.0, 2.0)']],
    [
      'affected again, in whatever order it is told',
      [until('1.6', 'affected'), until('1.4')],
      ['[1.0, 1.4)', '[1.6, 2.0)'],
    ],
    ['an end that no order knows may be anywhere', [until('trunk')], ['[1.0, 2.0) perhaps']],
    [
      'an end that no order knows may be before one that is known',
      [until('trunk'), until('1.4'), until('1.6', 'affected')],
      ['[1.0, 1.4) perhaps', '[1.6, 2.0) perhaps'],
    ],
    [
      'what begins again where no order knows may be the whole range',
      [until('1.4'), until('trunk', 'affected')],
      ['[1.0, 1.4)', '[1.0, 2.0) perhaps'],
    ],
    ['what begins where all is affected says nothing new', [until('trunk', 'affected')], ['[1.0, 2.0)']],
    ['a change that is none', ['x', { at: 7, status: 'unaffected' }], ['[1.0, 2.0)']],
  ])('changes inside a range: %s', (_rule, changes, expected) => {
    expect(intervals([affected('1.0', { lessThan: '2.0', changes })])).toEqual(expected)
  })

  it('makes one match of each name and range', () => {
    const pro = 'cpe:2.3:a:acme:pump_pro:-:*:*:*:*:*:*:*'
    const versions = [affected('1.0'), affected('2.0', { lessThan: '2.5' })]
    const matches = affectedMatches([{ cpes: [pump, pro, pump], versions }], 'file')
    expect(matches.map(({ criteria, startIncluding }) => [criteria, startIncluding])).toEqual([
      [pump, '1.0'],
      [pump, '2.0'],
      [pro.replace(':-:', ':*:'), '1.0'],
      [pro.replace(':-:', ':*:'), '2.0'],
    ])
  })

  it('takes names that differ in their version alone for one product', () => {
    const numbers = Array.from({ length: 1_000 }, (_, index) => `15.${index}`)
    const cpes = numbers.map((number) => `cpe:2.3:o:acme:ios:${number}\\(1\\)xb:*:*:*:*:*:*:*`)
    const versions = numbers.map((number) => affected(`${number}\\(1\\)XB`))
    const matches = affectedMatches([{ cpes, versions }], 'file')
    expect(matches).toHaveLength(1_000)
    expect(matches.at(-1)).toMatchObject({
      criteria: 'cpe:2.3:o:acme:ios:*:*:*:*:*:*:*:*',
      startIncluding: '15.999(1)XB',
      endIncluding: '15.999(1)XB',
    })
  })

  it.each<[what: string, entry: unknown]>([
    ['names no CPE', { vendor: 'acme', product: 'pump', versions: [affected('1.0')] }],
    ['has no versions, whatever the default', { cpes: [pump], defaultStatus: 'affected' }],
    [
      'has no usable ones, whatever the default',
      { cpes: [pump], versions: [affected('n/a')], defaultStatus: 'affected' },
    ],
    ['is of the wrong kind', { cpes: pump, versions: {} }],
    ['is nothing', null],
  ])('an entry that %s contributes nothing', (_what, entry) => {
    expect(affectedMatches([entry], 'file')).toEqual([])
  })

  it('refuses more names and ranges than any real record has', () => {
    const cpes = Array.from({ length: 1_000 }, (_, index) => `cpe:2.3:a:acme:pump${index}`)
    const versions = Array.from({ length: 1_000 }, (_, index) => affected(`1.${index}`))
    expect(() => affectedMatches([{ cpes, versions }], 'file')).toThrow(RefusedData)
  })
})
