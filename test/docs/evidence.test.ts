import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, 'docs', name), 'utf8')

/** Number of level 1 and 2 requirements in each chapter of ASVS 5.0.0. */
const requirements: Record<string, number> = {
  '1': 27,
  '2': 11,
  '3': 19,
  '4': 10,
  '5': 9,
  '6': 35,
  '7': 18,
  '8': 7,
  '9': 7,
  '10': 29,
  '11': 14,
  '12': 9,
  '13': 13,
  '14': 9,
  '15': 13,
  '16': 16,
  '17': 7,
}

const rows = read('asvs.md')
  .split('\n')
  .filter((line) => /^\| *\d/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))

test.each(['security.md', 'asvs.md'])('every file that %s gives as evidence exists', (name) => {
  const paths = [
    ...read(name).matchAll(/`((?:src|test|e2e|web|docs|assure)\/[\w./-]+|[\w.]+\.(?:mjs|json))`/g),
  ].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('ASVS: every requirement of level 2 is named once', () => {
  const ids = rows.flatMap(([, named = '']) => named.split(', '))
  expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([])
  const counted = Object.fromEntries(
    [...Map.groupBy(ids, (id) => id.split('.')[0] ?? '')].map(([chapter, all]) => [chapter, all.length]),
  )
  expect(counted).toEqual(requirements)
})

test('ASVS: what is met has evidence, everything else a reason', () => {
  for (const [, id, , state = '', evidence = ''] of rows) {
    expect(['met', 'partly', 'not met', 'operator', 'n/a'], id).toContain(state)
    if (state === 'met') expect(evidence, id).toMatch(/`[\w./-]+`|security\.md/)
    expect(evidence, id).not.toBe('')
  }
})
