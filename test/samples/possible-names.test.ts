import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ecosystemNamed } from '../../src/identities/ecosystems.ts'
import { isPossibleName } from '../../src/identities/registries/possible-names.ts'
import { readZip } from '../vulndata/read-zip.ts'

const folder = '../shared/data/osv'

type Osv = { affected?: { package?: { ecosystem: string; name: string } }[] }

/** Distinct `ecosystem name` pairs with a name no package of the ecosystem can have. */
async function impossibleNamesIn(file: string): Promise<string[]> {
  const records = Object.values(await readZip(readFileSync(file)))
  const packages = records.flatMap((text) => (JSON.parse(text) as Osv).affected ?? [])
  expect(packages.length, file).toBeGreaterThan(100)
  return packages.flatMap(({ package: named }) => {
    const ecosystem = ecosystemNamed(named?.ecosystem.split(':', 1)[0] ?? '')
    if (named === undefined || ecosystem === undefined) return []
    return isPossibleName(ecosystem, named.name) ? [] : [`${named.ecosystem} ${named.name}`]
  })
}

test.skipIf(!existsSync(folder))(
  'no package that a sample record names is called impossible (skipped where ../shared/data is absent)',
  async () => {
    const files = globSync(`${folder}/*/all.zip`)
    expect(files.length).toBeGreaterThan(3)
    const impossible = []
    for (const file of files) impossible.push(...(await impossibleNamesIn(file)))
    expect(impossible).toEqual([])
  },
)
