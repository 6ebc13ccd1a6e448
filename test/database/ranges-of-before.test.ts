import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'
import { migrateBefore, upgrade } from './earlier-release.ts'

/** Ranges of a package as stored while builds were not ordered: up to a fix, and up to the last version known to be affected. */
const rangesOf = (ecosystem: string) => `
insert into affected_range (vulnerability_id, package_key, release, stream, scheme, lower_key, upper_key, upper_included, kind, introduced, upper_text)
  values (1, '${ecosystem}' || chr(31) || 'a', '', '', 'semver', '', '\\x41', false, 'range', '0', '2.13.6+1'),
    (1, '${ecosystem}' || chr(31) || 'a', '', '', 'semver', '', '\\x42', true, 'range', '0', null);
`

let database: TestDatabase
beforeAll(async () => {
  database = await createEmptyDatabase()
})
afterAll(() => database.drop())

it('ranges of Julia packages are compared by their texts, as their packages are, and no others', async () => {
  await migrateBefore(database, '0084')
  for (const ecosystem of ['Julia', 'Julia 2', 'npm']) await database.pool.query(rangesOf(ecosystem))
  await upgrade(database)
  const { rows } = await database.pool.query(
    `select split_part(package_key, chr(31), 1) as of, scheme, lower_key is null as "noStart", upper_key is null as "noEnd"
    from affected_range order by id`,
  )
  const kept = (of: string) => ({ of, scheme: 'semver', noStart: false, noEnd: false })
  expect(rows).toEqual([
    { of: 'Julia', scheme: 'julia', noStart: true, noEnd: true },
    // without a fix, the end is compared as what has no order: possibly affected
    { of: 'Julia', scheme: 'julia', noStart: true, noEnd: false },
    ...['Julia 2', 'Julia 2', 'npm', 'npm'].map(kept),
  ])
})
