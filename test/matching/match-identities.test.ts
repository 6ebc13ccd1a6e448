import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { matchIdentities } from '../../src/matching/match-identities.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { resultsOf, semver } from './match-results.ts'
import { addRecord, type RecordFacts } from '../support/records.ts'
import { addIdentity, debian, maven, npm, rpm, type Part } from '../support/parts.ts'
import { testNow } from '../support/clock.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Stores the records and the identity, matches it, and returns its results as `RECORD grade reason`. */
async function matched(part: Part, ...records: RecordFacts[]): Promise<string[]> {
  for (const record of records) await addRecord(database.db, record)
  const id = await addIdentity(database.db, part)
  await matchIdentities(database.db, [id], { now: testNow })
  return resultsOf(database.db, id)
}

describe('ranges of byte keys', () => {
  beforeAll(async () => {
    await addRecord(database.db, {
      id: 'R-TWO',
      ...semver('two', [
        ['0', '1.2.0'],
        ['2.0.0', '2.3.0'],
      ]),
    })
    await addRecord(database.db, { id: 'R-OPEN', ...semver('open', [['1.0.0', null]]) })
    await addRecord(database.db, {
      id: 'R-LAST',
      affected: [{ ecosystem: 'npm', name: 'last', scheme: 'semver', ranges: [['0', '1.5.0', 'included']] }],
    })
    await addRecord(database.db, {
      id: 'R-LISTED',
      affected: [{ ecosystem: 'npm', name: 'listed', scheme: 'semver', listed: ['1.0.0', '1.0.2'] }],
    })
  })

  it.each([
    ['two', '0.0.1', ['R-TWO exact']],
    ['two', '1.1.99', ['R-TWO exact']],
    ['two', '1.2.0', []],
    ['two', '2.0.0', ['R-TWO exact']],
    ['two', '2.0.0-rc1', []],
    ['two', '2.3.0-rc1', ['R-TWO exact']],
    ['two', '2.3.0', []],
    ['open', '0.9.9', []],
    ['open', '999999999999999999999999.0.0', ['R-OPEN exact']],
    ['last', '1.5.0', ['R-LAST exact']],
    ['last', '1.5.1', []],
    ['listed', '1.0.0', ['R-LISTED exact']],
    ['listed', '1.0.0+build', ['R-LISTED exact']],
    ['listed', '1.0.1', []],
    ['Two', '1.0.0', []],
    ['other', '1.0.0', []],
  ])('%s %s', async (name, version, expected) => {
    expect(await matched(npm(name, version))).toEqual(expected)
  })
})

describe('comparators where the order has no keys', () => {
  beforeAll(async () => {
    await addRecord(database.db, {
      id: 'R-LOG4J',
      affected: [
        {
          ecosystem: 'Maven',
          name: 'org.apache.logging.log4j:log4j-core',
          scheme: 'maven',
          ranges: [['2.0-beta9', '2.15.0']],
        },
      ],
    })
    await addRecord(database.db, {
      id: 'R-MAVEN-LISTED',
      affected: [{ ecosystem: 'Maven', name: 'a:listed', scheme: 'maven', listed: ['1.0'] }],
    })
    await addRecord(database.db, {
      id: 'R-MAVEN-LOWEST',
      affected: [
        { ecosystem: 'Maven', name: 'a:lowest', scheme: 'maven', ranges: [['0', '1.0', 'included']] },
      ],
    })
  })

  it.each([
    ['org.apache.logging.log4j:log4j-core', '2.14.1', ['R-LOG4J exact']],
    ['org.apache.logging.log4j:log4j-core', '2.0-beta9', ['R-LOG4J exact']],
    ['org.apache.logging.log4j:log4j-core', '2.0-beta8', []],
    ['org.apache.logging.log4j:log4j-core', '2.15.0-rc1', ['R-LOG4J exact']],
    ['org.apache.logging.log4j:log4j-core', '2.15.0', []],
    ['a:listed', '1.0', ['R-MAVEN-LISTED exact']],
    ['a:listed', '1.0.0', ['R-MAVEN-LISTED exact']],
    ['a:listed', '1.0.1', []],
    ['a:lowest', '0.0.0-alpha', ['R-MAVEN-LOWEST exact']],
    ['a:lowest', '1.0.1', []],
  ])('%s %s', async (name, version, expected) => {
    expect(await matched(maven(name, version))).toEqual(expected)
  })
})

describe('releases of a distribution', () => {
  beforeAll(async () => {
    await addRecord(database.db, {
      id: 'R-DEB',
      affected: [
        {
          ecosystem: 'Debian',
          release: '11',
          name: 'openssl',
          scheme: 'dpkg',
          ranges: [['0', '1.1.1n-0+deb11u5']],
        },
        { ecosystem: 'Debian', release: '12', name: 'openssl', scheme: 'dpkg', ranges: [['0', '3.0.9-1']] },
      ],
    })
    await addRecord(database.db, {
      id: 'R-DEB-LIST',
      affected: [
        {
          ecosystem: 'Debian',
          release: '11',
          name: 'zlib',
          scheme: 'dpkg',
          ranges: [['0', '1:1.2.11.dfsg-2+deb11u2']],
        },
      ],
      document: {
        id: 'R-DEB-LIST',
        modified: '2026-01-01T00:00:00Z',
        affected: [
          {
            package: { ecosystem: 'Debian:11', name: 'zlib' },
            versions: ['1:1.2.11.dfsg-2', '1:1.2.11.dfsg-2+deb11u1'],
          },
          { package: { ecosystem: 'Debian:11', name: 'other' }, versions: ['1:1.2.13.dfsg-1'] },
        ],
      },
    })
  })

  it.each([
    ['openssl', '1.1.1k-1', '11', ['R-DEB exact']],
    ['openssl', '1.1.1n-0+deb11u5', '11', []],
    ['openssl', '1.1.1n-0+deb11u5', '12', ['R-DEB exact']],
    ['openssl', '1.1.1k-1', '10', []],
    ['openssl', '1.1.1k-1', null, []],
    ['zlib', '1:1.2.11.dfsg-2+deb11u1', null, ['R-DEB-LIST possible release_unknown']],
    ['zlib', '1:1.2.11.dfsg-2', null, ['R-DEB-LIST possible release_unknown']],
    ['zlib', '1:1.2.11.dfsg-1', null, []],
    ['zlib', '1:1.2.13.dfsg-1', null, []],
  ])('%s %s on release %s', async (name, version, release, expected) => {
    expect(await matched(debian(name, version, release))).toEqual(expected)
  })

  it('an unknown release is answered by stored listed versions as well', async () => {
    const record: RecordFacts = {
      id: 'R-DEB-STORED',
      affected: [{ ecosystem: 'Debian', release: '11', name: 'bash', scheme: 'dpkg', listed: ['5.1-2'] }],
      document: { id: 'R-DEB-STORED', modified: '2026-01-01T00:00:00Z' },
    }
    expect(await matched(debian('bash', '5.1-2', null), record)).toEqual([
      'R-DEB-STORED possible release_unknown',
    ])
  })
})

describe('streams', () => {
  beforeAll(async () => {
    for (const stream of ['', 'el8_4', 'nodejs:18']) {
      await addRecord(database.db, {
        id: `R-STREAM-${stream}`,
        affected: [
          {
            ecosystem: 'Red Hat',
            release: '8',
            stream,
            name: 'nodejs',
            scheme: 'rpm',
            ranges: [['0', '18.9.0-1']],
          },
        ],
      })
    }
  })

  it.each(['', 'el8_4', 'nodejs:18', 'nodejs:20'])(
    'stream "%s" compares only with itself',
    async (stream) => {
      const expected = stream === 'nodejs:20' ? [] : [`R-STREAM-${stream} exact`]
      expect(await matched(rpm('nodejs', '18.0.0-1', stream))).toEqual(expected)
    },
  )
})

describe('what cannot be decided', () => {
  beforeAll(async () => {
    await addRecord(database.db, { id: 'R-UNSURE', ...semver('unsure', [['0', '1.0.0']]) })
    await addRecord(database.db, {
      id: 'R-NIGHTLY',
      affected: [{ ecosystem: 'npm', name: 'unsure', scheme: 'semver', listed: ['nightly', '1.5.0'] }],
    })
    await addRecord(database.db, {
      id: 'R-MAVEN-NIGHTLY',
      affected: [{ ecosystem: 'Maven', name: 'un:sure', scheme: 'maven', listed: ['nightly build'] }],
    })
    await addRecord(database.db, {
      id: 'R-UNSURE-DEB',
      affected: [
        { ecosystem: 'Debian', release: '11', name: 'unsure', scheme: 'dpkg', ranges: [['0', null]] },
      ],
    })
  })

  it.each<[string, Part, string[]]>([
    [
      'no version',
      npm('unsure', '', { decidability: 'no_version' }),
      ['R-NIGHTLY possible no_version', 'R-UNSURE possible no_version'],
    ],
    [
      'no version on a known release',
      { ...debian('unsure', '', '11'), decidability: 'no_version' },
      ['R-UNSURE-DEB possible no_version'],
    ],
    ['no version on another release', { ...debian('unsure', '', '12'), decidability: 'no_version' }, []],
    ['no version and no release', { ...debian('unsure', '', null), decidability: 'no_version' }, []],
    ['uncomparable', npm('unsure', 'nonsense', { decidability: 'uncomparable' }), []],
    [
      'uncomparable, listed by its text',
      npm('unsure', 'nightly', { decidability: 'uncomparable' }),
      ['R-NIGHTLY possible unordered_version'],
    ],
    ['uncomparable, another case', npm('unsure', 'Nightly', { decidability: 'uncomparable' }), []],
    [
      'uncomparable by a comparator, listed by its text',
      { ...maven('un:sure', 'nightly build'), decidability: 'uncomparable' },
      ['R-MAVEN-NIGHTLY possible unordered_version'],
    ],
    [
      'not covered',
      { ecosystem: null, name: 'unsure', version: '0.1.0', scheme: null, decidability: 'not_covered' },
      [],
    ],
    ['by name only', npm('unsure', '0.2.0', { basis: 'name' }), ['R-UNSURE possible name_only']],
    ['another scheme under the same key', npm('unsure', '0.2.0', { scheme: 'pep440' }), []],
  ])('%s', async (_name, part, expected) => {
    expect(await matched(part)).toEqual(expected)
  })
})

describe('records', () => {
  it('a withdrawn record never matches, and its results go', async () => {
    const record: RecordFacts = { id: 'R-GONE', ...semver('gone', [['0', null]]) }
    expect(await matched(npm('gone', '1.0.0'), record)).toEqual(['R-GONE exact'])
    expect(await matched(npm('gone', '1.0.0'), { ...record, withdrawn: true })).toEqual([])
  })

  it('a withdrawn record whose ranges are still stored does not match either', async () => {
    await addRecord(database.db, { id: 'R-HALF', ...semver('half', [['0', null]]) })
    await database.db
      .updateTable('vulnerability')
      .set({ withdrawn_at: testNow })
      .where('record_id', '=', 'R-HALF')
      .execute()
    expect(await matched(npm('half', '1.0.0'))).toEqual([])
    expect(await matched(npm('half', '', { decidability: 'no_version' }))).toEqual([])
  })

  it('an informational record is stored as possible', async () => {
    const record: RecordFacts = {
      id: 'R-NOTE',
      recordClass: 'informational',
      ...semver('note', [['0', null]]),
    }
    expect(await matched(npm('note', '1.0.0'), record)).toEqual(['R-NOTE possible informational'])
  })

  it('a malware record matches exactly', async () => {
    const record: RecordFacts = { id: 'MAL-1', recordClass: 'malware', ...semver('evil', [['0', null]]) }
    expect(await matched(npm('evil', '1.0.0'), record)).toEqual(['MAL-1 exact'])
  })

  it('a malware record is possible for a package of another registry, any other record as exact as ever', async () => {
    const foreign = (name: string) => npm(name, '1.0.0', { basis: 'foreign_purl' })
    const malware: RecordFacts = { id: 'MAL-2', recordClass: 'malware', ...semver('ours', [['0', null]]) }
    expect(await matched(foreign('ours'), malware)).toEqual(['MAL-2 possible other_registry'])
    const flaw: RecordFacts = { id: 'R-FLAW', ...semver('theirs', [['0', null]]) }
    expect(await matched(foreign('theirs'), flaw)).toEqual(['R-FLAW exact'])
  })

  it('an edited record moves its results', async () => {
    const record = (upper: string): RecordFacts => ({ id: 'R-EDIT', ...semver('edit', [['0', upper]]) })
    expect(await matched(npm('edit', '1.5.0'), record('1.0.0'))).toEqual([])
    expect(await matched(npm('edit', '1.5.0'), record('2.0.0'))).toEqual(['R-EDIT exact'])
    expect(await matched(npm('edit', '1.5.0'), record('1.5.0'))).toEqual([])
  })
})
