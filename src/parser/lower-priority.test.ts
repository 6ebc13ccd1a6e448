import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const nobody = 65534

/** As an ordinary user, which root becomes once it is started. */
const program = `
  import { getPriority } from 'node:os'
  import { lowerPriority } from '${pathToFileURL(join(import.meta.dirname, 'lower-priority.ts')).href}'
  if (process.getuid() === 0) process.setuid(${nobody})
  lowerPriority()
  process.stdout.write(String(getPriority()))`

/** A niceness is added to that of whoever starts a process. */
const isNiced = process.platform === 'linux' && getPriority() !== 0

test.skipIf(process.platform !== 'linux' || isNiced).each([
  ['0', '10'],
  ['15', '15'],
])(
  'an ordinary user, started with niceness %s: %s (needs Linux, and tests at niceness 0)',
  (given, expected) => {
    const args = ['-n', given, process.execPath, '--input-type=module', '-e', program]
    expect(execFileSync('nice', args, { encoding: 'utf8' })).toBe(expected)
  },
)
