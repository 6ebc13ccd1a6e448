import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { distributions } from '../../src/formats/identity/distributions/distributions.ts'
import { ecosystems, type Ecosystem } from '../../src/formats/identity/ecosystems.ts'
import { sources } from '../../src/vulndata/sources/all.ts'

/** What docs/coverage.md promises a buyer is what the program knows, kind by kind. */

const text = readFileSync(join(import.meta.dirname, '../../docs/coverage.md'), 'utf8')

/** The rows of the table below a heading, without its head. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const lines = (section.split('\n## ', 1)[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const typesOf = ({ purlTypes, system }: Ecosystem) =>
  purlTypes.map((type) => (system === null ? `\`pkg:${type}\`` : `\`pkg:${type}/${system.distribution}\``))

const [ofOsv, ofOthers] = [false, true].map((isOutside) =>
  ecosystems.filter(({ outsideOsv = false }) => outsideOsv === isOutside),
)

test.each([
  ['Packages with a package URL', ofOsv],
  ['Distributions with a source of their own', ofOthers],
])(
  'under "%s" every ecosystem has a row with its package URLs and its order of versions, and no other has',
  (heading, expected = []) => {
    const rows = tableUnder(heading)
    expect(rows.map(([name]) => name)).toEqual(expected.map(({ name }) => name))
    for (const [index, ecosystem] of expected.entries()) {
      const [, components = '', order] = rows[index] ?? []
      const types = typesOf(ecosystem)
      // what is known by its repository has no package URL of its own
      if (types.length > 0) expect([ecosystem.name, components]).toEqual([ecosystem.name, types.join(', ')])
      else expect(components).not.toBe('')
      expect([ecosystem.name, order]).toEqual([ecosystem.name, ecosystem.scheme])
    }
  },
)

test('the source beside a distribution is the one that decides about it', () => {
  for (const [ecosystem = '', , , label] of tableUnder('Distributions with a source of their own')) {
    const deciding = sources.filter(({ decides = [] }) => decides.includes(ecosystem))
    expect([ecosystem, label]).toEqual([ecosystem, deciding.map((source) => source.label).join(', ')])
  }
})

test('every source has a row', () => {
  const named = ['Products named by CPE', 'Known to be exploited, and how likely'].flatMap(tableUnder)
  const beside = tableUnder('Distributions with a source of their own').map((row) => row[3] ?? '')
  expect(['OSV', ...beside, ...named.map(([name = '']) => name)].sort()).toEqual(
    sources.map(({ label }) => label).sort(),
  )
})

test('every distribution without records is named as not covered', () => {
  const covered = new Set(ecosystems.map(({ system }) => system?.distribution))
  const without = distributions.filter(({ id }) => !covered.has(id)).map(({ title }) => title)
  const [[components = ''] = []] = tableUnder('Not covered')
  expect(components.split(', ')).toEqual(without)
})
