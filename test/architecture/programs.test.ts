import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkoutDir } from '../support/test-server.ts'

/** Everything these files import at load time, without type imports and lazy imports: our own files, and package names. */
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

/** Each file adds about half a millisecond to a start, and some packages have hundreds. */
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

  it('of commands read no schemas, and nothing of the database until they know what is asked', () => {
    const asked = readWith('src/program.ts')
    expect(asked).toContain('src/cli/commands.ts')
    for (const unasked of ['typebox', 'kysely', 'pg', 'prom-client']) expect(asked).not.toContain(unasked)
    const opened = readWith('src/program.ts', 'src/cli/open-process.ts')
    expect(opened).toContain('kysely')
    for (const unasked of ['typebox', 'prom-client']) expect(opened).not.toContain(unasked)
  })

  it('of what answers do not read what reads files', () => {
    const read = readWith(
      'src/program.ts',
      'src/cli/open-process.ts',
      'src/cli/start-parser.ts',
      'src/cli/start-serve.ts',
    )
    expect(read).toContain('typebox')
    expect(read).not.toContain('src/parser/tasks.ts')
  })
})
