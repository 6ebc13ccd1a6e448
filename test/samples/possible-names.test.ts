import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ecosystemNamed } from '../../src/formats/identity/ecosystems.ts'
import { isPossibleName } from '../../src/formats/identity/possible-names.ts'
import { readZip } from '../vulndata/read-zip.ts'

const folder = '../shared/data/osv'
const files = globSync(`${folder}/*/all.zip`)

type Osv = { affected?: { package?: { ecosystem: string; name: string } }[] }

test.skipIf(!existsSync(folder)).each(files)(
  'no package that the records of %s name is called impossible (skipped where ../shared/data is absent)',
  async (file) => {
    const records = Object.values(await readZip(readFileSync(file)))
    const packages = records.flatMap((text) => (JSON.parse(text) as Osv).affected ?? [])
    const impossible = packages.flatMap(({ package: named }) => {
      const ecosystem = ecosystemNamed(named?.ecosystem.split(':', 1)[0] ?? '')
      if (named === undefined || ecosystem === undefined) return []
      return isPossibleName(ecosystem, named.name) ? [] : [named.name]
    })
    expect(packages.length).toBeGreaterThan(100)
    expect(impossible).toEqual([])
  },
)
