import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { purgeFamilyFindings } from '../../src/findings/changes/purge-family.ts'
import { searchComponents } from '../../src/inventory/components/search-components.ts'
import { selectWorkspaceCoverage } from '../../src/inventory/coverage/workspace-coverage.ts'
import { purgeFamilySboms } from '../../src/sbom/purge-family.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { npm, type Part } from '../support/parts.ts'
import { addFamily, addSbom, addVersion, addWorkspace, type Family } from '../support/rows.ts'
import { testNow } from '../support/clock.ts'

let store: TestDatabase
let workspaceId: string

beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

async function newWorkspace(slug: string): Promise<string> {
  workspaceId = await addWorkspace(store.db, slug)
  return workspaceId
}

async function upload(family: Family, parts: Part[], versionId: string | null = null): Promise<string> {
  const id = await addSbom(store.db, family, { versionId, parts })
  await matchSbom(store.db, { workspaceId: family.workspaceId, sbomId: id, now: testNow })
  return id
}

async function namesOf(search: string | undefined, hash?: string): Promise<string[]> {
  const names: string[] = []
  let cursor: string | undefined
  do {
    const page = await searchComponents(store.db, { workspaceId, search, hash, cursor })
    names.push(...page.rows.map(({ name, family }) => `${name} of ${family.name}`))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return names
}

describe('the search for components', () => {
  it('pages once through more than are looked up at a time', async () => {
    await newWorkspace('pages')
    const families = [
      await addFamily(store.db, workspaceId, 'A'),
      await addFamily(store.db, workspaceId, 'B'),
    ]
    const many = Array.from({ length: 320 }, (_, at) =>
      npm(`part-${at}`, '1.0.0', { hashes: ['sha256:feed'] }),
    )
    for (const [at, family] of families.entries()) await upload(family, at === 0 ? many : many.slice(0, 40))
    const expected = many
      .flatMap(({ name }, at) => (at < 40 ? [`${name} of A`, `${name} of B`] : [`${name} of A`]))
      .sort()
    for (const found of [await namesOf('part'), await namesOf(undefined), await namesOf('PART', 'feed')]) {
      expect(found.toSorted()).toEqual(expected)
    }
    expect(await namesOf('part-31 1.0')).toHaveLength(2 + 10)
  })

  it('finds what is added later, and only where it is now', async () => {
    await newWorkspace('later')
    const family = await addFamily(store.db, workspaceId, 'A')
    await upload(family, [npm('old', '1.0.0', { hashes: ['sha1:0a'] })])
    await upload(family, [npm('new', '1.0.0', { hashes: ['sha1:0b', 'md5:0c'] })])
    expect(await namesOf('old')).toEqual([])
    expect(await namesOf('new')).toEqual(['new of A'])
    expect(await namesOf(undefined, 'md5:0C')).toEqual(['new of A'])
    expect(await namesOf(undefined, 'sha1:0c')).toEqual([])
    expect(await namesOf(undefined, '0a')).toEqual([])
  })

  it.each([
    ['org.apache.logging.log4j:log4j-core', ['log4j-core of A']],
    ['org.apache.logging.log4j:log4j-core:2.14.1', ['log4j-core of A']],
    ['logging.log4j/log4j-core', ['log4j-core of A']],
    ['org.apache.logging:log4j-core:2.15', []],
    ['com.example:log4j-core', []],
    ['@babel/core', ['core of A']],
    ['pkg:npm/@babel/core', ['core of A']],
  ])('finds %s with and without a purl', async (search, expected) => {
    for (const hasPurl of [true, false]) {
      const slug = `spelt-${randomInt(1e9)}`
      const family = await addFamily(store.db, await newWorkspace(slug), 'A')
      const id = await addSbom(store.db, family, {
        versionId: null,
        parts: [npm('log4j-core', '2.14.1'), npm('core', '7.0.0')],
      })
      for (const [name, group, purl] of [
        ['log4j-core', 'org.apache.logging.log4j', 'pkg:maven/org.apache.logging.log4j/log4j-core@2.14.1'],
        ['core', '@babel', 'pkg:npm/%40babel/core@7.0.0'],
      ]) {
        await store.pool.query(
          'update component set group_name = $3, purl = $4 where family_id = $1 and name = $2',
          [family.familyId, name, group, hasPurl ? purl : null],
        )
      }
      await matchSbom(store.db, { workspaceId, sbomId: id, now: testNow })
      expect(await namesOf(search)).toEqual(search.startsWith('pkg:') && !hasPurl ? [] : expected)
      const { rows } = await listComponents(store.db, {
        workspaceId,
        sbomId: id,
        search,
        sort: 'name',
        cursor: undefined,
      })
      expect(rows.map(({ name }) => `${name} of A`)).toEqual(
        search.startsWith('pkg:') && !hasPurl ? [] : expected,
      )
    }
  })

  it('leaves out retired versions', async () => {
    await newWorkspace('retired')
    const family = await addFamily(store.db, workspaceId, 'A')
    const versionId = await addVersion(store.db, family, '1.0')
    await upload(family, [npm('tool', '1.0.0')], versionId)
    expect(await namesOf('tool')).toEqual(['tool of A'])
    await store.db.updateTable('product_version').set({ retired_at: testNow }).execute()
    expect(await namesOf('tool')).toEqual([])
  })

  it('takes components whose texts are as long as they may be', async () => {
    await newWorkspace('long')
    const family = await addFamily(store.db, workspaceId, 'A')
    // incompressible text
    const word = () =>
      Array.from({ length: 500 }, () => String.fromCodePoint(randomInt(0x20000, 0x2a6df))).join('')
    const long = { name: word(), version: word() }
    await upload(family, [npm(long.name, long.version)])
    expect(await namesOf([...long.name].slice(400, 500).join(''))).toEqual([`${long.name} of A`])
  })

  it('forgets a deleted family and keeps the others', async () => {
    await newWorkspace('deleted')
    const [gone, kept] = [
      await addFamily(store.db, workspaceId, 'A'),
      await addFamily(store.db, workspaceId, 'B'),
    ]
    const shared = npm('shared', '1.0.0', { hashes: ['sha1:aa'] })
    await upload(gone, [shared, npm('own', '1.0.0', { hashes: ['sha1:bb'] })])
    await upload(kept, [shared])
    await purgeFamilyFindings(store.db, workspaceId, gone.familyId)
    await purgeFamilySboms(store.db, workspaceId, gone.familyId)
    expect(await namesOf(undefined)).toEqual(['shared of B'])
    expect(await namesOf('shared')).toEqual(['shared of B'])
    expect(await namesOf(undefined, 'aa')).toEqual(['shared of B'])
    const texts = await store.db
      .selectFrom('component_text')
      .select('name')
      .where('workspace_id', '=', workspaceId)
      .execute()
    expect(texts).toEqual([{ name: 'shared' }])
    for (const table of ['component_hash', 'component_name'] as const) {
      const rows = await store.db
        .selectFrom(table)
        .select('number')
        .where('family_id', '=', gone.familyId)
        .execute()
      expect(rows, table).toEqual([])
    }
  })
})

describe('the coverage of a workspace', () => {
  it('counts an SBOM that has just arrived as not looked at', async () => {
    await newWorkspace('arrived')
    const family = await addFamily(store.db, workspaceId, 'A')
    const id = await addSbom(store.db, family, {
      parts: [npm('a', '1.0.0'), npm('b', '', { decidability: 'no_version' })],
    })
    expect(await selectWorkspaceCoverage(store.db, workspaceId, testNow)).toMatchObject({
      sboms: 1,
      coverage: { dataNotLoaded: 2, noVersion: 0 },
      reasons: [{ state: 'dataNotLoaded', ecosystem: null, reason: null, components: 2 }],
    })
    await matchSbom(store.db, { workspaceId, sbomId: id, now: testNow })
    expect((await selectWorkspaceCoverage(store.db, workspaceId, testNow)).coverage).toMatchObject({
      dataNotLoaded: 1,
      noVersion: 1,
    })
  })
})
