import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { emptyStore } from '../vulndata/support.ts'
import { loadNvd, matchesOf } from './match-support.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(() => emptyStore(database.db))
afterAll(() => database.drop())

describe('a name of CPE', () => {
  const name = (
    parts: Partial<
      Record<'version' | 'update' | 'edition' | 'language' | 'sw' | 'target' | 'hw' | 'other', string>
    >,
  ) => {
    const { version = '1.0', update = '*', edition = '*', language = '*' } = parts
    const { sw = '*', target = '*', hw = '*', other = '*' } = parts
    return ['cpe:2.3:a:acme:x', version, update, edition, language, sw, target, hw, other].join(':')
  }
  it.each<[rule: string, criterion: string, component: string, expected: string[]]>([
    ['any update of the version', name({}), name({ update: 'sp1' }), ['exact']],
    ['any update of the version, in digits', name({}), name({ update: '3' }), ['exact']],
    [
      'any update of the version, written shorter',
      name({}),
      name({ version: '1.0.0', update: 'sp1' }),
      ['exact'],
    ],
    [
      'any update of the version, written longer',
      name({ version: '1.0.0' }),
      name({ update: '3' }),
      ['exact'],
    ],
    [
      'an update of a version that only begins alike',
      name({}),
      name({ version: '1.0.1', update: 'sp1' }),
      [],
    ],
    [
      'any update of a version without an order',
      name({ version: 'vista' }),
      name({ version: 'vista', update: 'sp1' }),
      ['possible unordered_version'],
    ],
    [
      'any update, of another edition',
      name({ edition: 'one' }),
      name({ version: '1.0.0', update: 'sp1', edition: 'two' }),
      [],
    ],
    ['a pattern never meets what there is none of', name({ target: '-' }), name({ target: 'node*' }), []],
    ['nor the other way', name({ target: 'node*' }), name({ target: '-' }), []],
    ['none of it is not something', name({ sw: '-' }), name({ sw: 'pro' }), []],
    ['a pattern meets any value, possibly', name({ sw: 'pro' }), name({ sw: 'p*' }), ['possible edition']],
    ['a pattern of the record, too', name({ sw: 'p*' }), name({ sw: 'pro' }), ['possible edition']],
    ['a pattern meets what says nothing', name({}), name({ sw: 'p*' }), ['exact']],
    ['no update is not an update', name({ update: '-' }), name({ update: 'sp1' }), []],
    ['another update', name({ update: 'sp2' }), name({ update: 'sp1' }), []],
    ['the same update', name({ update: 'sp1' }), name({ update: 'sp1' }), ['exact']],
    ['another version', name({ version: '1.0.1' }), name({ update: 'sp1' }), []],
    ['a component without the update', name({ update: 'sp1' }), name({}), []],
    ...(['edition', 'language', 'sw', 'hw', 'other'] as const).flatMap(
      (key): [string, string, string, string[]][] => [
        [`another ${key}`, name({ [key]: 'one' }), name({ [key]: 'two' }), []],
        [`the same ${key}`, name({ [key]: 'one' }), name({ [key]: 'one' }), ['exact']],
        [`${key} that the component leaves open`, name({ [key]: 'one' }), name({}), ['possible edition']],
        [`${key} that the criterion leaves open`, name({}), name({ [key]: 'one' }), ['exact']],
        [`none of ${key} against a value`, name({ [key]: '-' }), name({ [key]: 'one' }), []],
        [`a value of ${key} against none`, name({ [key]: 'one' }), name({ [key]: '-' }), []],
      ],
    ),
    ['another target', name({ target: 'wordpress' }), name({ target: 'drupal' }), []],
    ['a target left open', name({ target: 'wordpress' }), name({}), ['possible target']],
    [
      'two attributes, one of them another',
      name({ target: 'a', hw: 'x64' }),
      name({ target: 'a', hw: 'arm' }),
      [],
    ],
    ['`-` is no version', name({ version: '-' }), name({}), []],
  ])('%s', async (_, criterion, component, expected) => {
    await loadNvd(database.db, { criteria: criterion })
    expect(await matchesOf(database.db, { cpe: component })).toEqual(
      expected.map((match) => `NVD:CVE-2025-1000 ${match}`),
    )
  })

  it.each<[rule: string, ofRecord: string, ofComponent: string, expected: string[]]>([
    ['none meets no update', '-', 'p1', []],
    ['an update meets none', 'p1', '-', []],
    ['none meets no pattern', '-', 'p*', []],
    ['none on both sides', '-', '-', ['exact']],
    ['none, and nothing said', '-', '*', ['exact']],
    ['nothing said, and none', '*', '-', ['exact']],
    ['any update', '*', 'p1', ['exact']],
    ['a pattern and an update', 'p*', 'p1', ['possible edition']],
  ])('of updates beside bounds, %s', async (_, ofRecord, ofComponent, expected) => {
    await loadNvd(database.db, {
      criteria: name({ version: '*', update: ofRecord }),
      versionEndExcluding: '2.0',
    })
    expect(await matchesOf(database.db, { cpe: name({ update: ofComponent }) })).toEqual(
      expected.map((match) => `NVD:CVE-2025-1000 ${match}`),
    )
  })

  it('`-` meets no version with bounds beside it either', async () => {
    await loadNvd(database.db, { criteria: name({ version: '-' }), versionEndExcluding: '2.0' })
    expect(await matchesOf(database.db, { cpe: name({}) })).toEqual([])
  })
})
