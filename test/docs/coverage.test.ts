import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { distributions } from '../../src/identities/distributions/distributions.ts'
import { ecosystems, type Ecosystem } from '../../src/identities/ecosystems.ts'
import { sources } from '../../src/vulndata/sources/all.ts'

/** The promises of docs/coverage.md match what the program knows, kind by kind. */

const text = readFileSync(join(import.meta.dirname, '../../docs/coverage.md'), 'utf8')

/** The rows of the table below a heading, without its header. */
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

/** The ecosystems in a table, each with its package URLs and version order. */
function expectRows(rows: readonly string[][], listed: readonly Ecosystem[]): void {
  expect(rows.map(([name]) => name)).toEqual(listed.map(({ name }) => name))
  for (const [index, ecosystem] of listed.entries()) {
    const [, components = '', order] = rows[index] ?? []
    const types = typesOf(ecosystem)
    // ecosystems keyed by repository have no package URL type
    if (types.length > 0) expect([ecosystem.name, components]).toEqual([ecosystem.name, types.join(', ')])
    else expect(components).not.toBe('')
    expect([ecosystem.name, order]).toEqual([ecosystem.name, ecosystem.scheme])
  }
}

const ofOthers = ecosystems.filter(({ outsideOsv }) => outsideOsv === true)

test('every ecosystem of OSV has a row with its package URLs and its order of versions, and no other has', () => {
  expectRows(
    tableUnder('Packages with a package URL'),
    ecosystems.filter(({ outsideOsv }) => outsideOsv !== true),
  )
})

test('every ecosystem of another source has such a row with the sources that decide about it', () => {
  const rows = tableUnder('Distributions with a source of their own')
  expectRows(rows, ofOthers)
  for (const [name = '', , , label] of rows) {
    const deciding = sources.filter(({ decides }) => decides?.includes(name)).map((source) => source.label)
    expect([name, label]).toEqual([name, deciding.join(', ')])
  }
})

test('every source has a row', () => {
  const named = [
    'Products named by CPE',
    'What vendors say of their packages',
    'Known to be exploited, and how likely',
  ].flatMap(tableUnder)
  const ofDistributions = tableUnder('Distributions with a source of their own').map(
    ([, , , label = '']) => label,
  )
  const labels = new Set(['OSV', ...ofDistributions, ...named.map(([name = '']) => name)])
  expect([...labels].sort()).toEqual(sources.map(({ label }) => label).sort())
})

test('every distribution without records is named as not covered', () => {
  const covered = new Set(ecosystems.map(({ system }) => system?.distribution))
  const without = distributions.filter(({ id }) => !covered.has(id)).map(({ title }) => title)
  const [[components = ''] = []] = tableUnder('Not covered')
  expect(components.split(', ')).toEqual(without)
})

test('the table at a glance names sources as they are called', () => {
  const labels = new Set(sources.map(({ label }) => label))
  const named = tableUnder('At a glance').flatMap(([, whose = '']) => whose.split(', '))
  expect(named.filter((label) => !labels.has(label))).toEqual([])
  const finding = sources.filter(({ brings, decides = [] }) => brings === 'records' && decides.length > 0)
  const missing = finding.filter(({ label }) => !named.includes(label)).map(({ id }) => id)
  // discontinued
  expect(missing).toEqual(['amazon-linux-1'])
})
