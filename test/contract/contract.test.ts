import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkoutDir } from '../support/test-server.ts'

type Line = { promise: string; file: string; name: string }

function readLines(page: string): Line[] {
  const rows = readFileSync(page, 'utf8').matchAll(/^\| (?!promise|-)(.+?) +\| `([^`]+)` +\| (.+?) +\|$/gm)
  return [...rows].map(([, promise = '', file = '', name = '']) => ({ promise, file, name }))
}

/** The test names in a file as written: those of a table with their placeholders. */
function namesIn(file: string): Set<string> {
  const path = join(checkoutDir, file)
  if (!existsSync(path)) return new Set()
  const literals = readFileSync(path, 'utf8').matchAll(/\(\s*(['"`])((?:(?!\1).)+)\1,\s*(?:async )?\(/g)
  return new Set([...literals].map(([, , name = '']) => name))
}

describe.each(globSync('test/contract/*.md', { cwd: checkoutDir }))('%s', (page) => {
  const lines = readLines(join(checkoutDir, page))

  test('has a test for every line', () => {
    const missing = lines.filter(({ file, name }) => !namesIn(file).has(name))
    expect(missing).toEqual([])
  })

  test('has a line in every section, and names no promise twice', () => {
    expect(lines.length).toBeGreaterThan(25)
    const text = readFileSync(join(checkoutDir, page), 'utf8')
    expect(
      text.split('\n').filter((line) => line.startsWith('|') && !/^\| (promise|-)/.test(line)),
    ).toHaveLength(lines.length)
    for (const section of text.split('\n## ').slice(1)) expect(section).toContain('| `test/')
  })
})
