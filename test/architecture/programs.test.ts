import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkoutDir } from '../support/test-server.ts'

/** All that is read where these files are, without what is imported as a type or when it is called for: files of ours, and names of packages. */
function readWith(...files: string[]): Set<string> {
  const read = new Set(files)
  for (const file of read) {
    if (!file.startsWith('src/')) continue
    const text = readFileSync(join(checkoutDir, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/^(?:import|export) (?!type\b)(?:[^'";]*? from )?'([^']+)'/gm))
      read.add(path.startsWith('.') ? posix.join(posix.dirname(file), path) : path)
  }
  return read
}

/** Each file costs a start about half a millisecond, and some packages have hundreds. */
describe('the programs of processes', () => {
  it('are found with what they import', () => {
    const read = readWith('src/parse.ts')
    expect(read.size).toBeGreaterThan(150)
    expect(read).toContain('src/parser/tasks.ts')
    expect(read).toContain('kysely')
  })

  it('of parser children read no schemas', () => {
    expect(readWith('src/parse.ts')).not.toContain('typebox')
  })

  it('of what answers do not read what reads files', () => {
    const read = readWith('src/program.ts', 'src/cli/start-parser.ts', 'src/cli/start-serve.ts')
    expect(read).toContain('typebox')
    expect(read).not.toContain('src/parser/tasks.ts')
  })
})
