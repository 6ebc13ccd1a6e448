import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'

const src = join(import.meta.dirname, '../../src')

/** Starts a process that logs as roles do, fails in one way, and prints its error count if it still runs a moment later. */
const breaking = (breakIt: string) => `
  import { createRegistry } from '${src}/platform/metrics.ts'
  import { createLog } from '${src}/platform/log.ts'
  import { addUnexpectedErrors, outliveUnexpectedErrors } from '${src}/platform/unexpected-errors.ts'
  const log = createLog({ logLevel: 'info' }, { role: 'all', stream: 'stdout', onLost: () => process.exit(3) })
  const registry = createRegistry({ version: '0', role: 'all' })
  const errors = addUnexpectedErrors(registry)
  outliveUnexpectedErrors({ process, log, errors })
  ${breakIt}
  setTimeout(async () => {
    process.stderr.write(await registry.getSingleMetricAsString('sbom_monitor_unexpected_errors_total'))
    process.exit(0)
  }, 200)`

async function run(script: string, stdout: 'pipe' | number = 'pipe') {
  const args = ['--input-type=module', '-e', script]
  const child = spawn(process.execPath, args, { stdio: ['ignore', stdout, 'pipe'] })
  const ended = once(child, 'close')
  const said = await Promise.all(
    [child.stdout, child.stderr].map((one) => (one === null ? Promise.resolve('') : text(one))),
  )
  await ended
  return { code: child.exitCode, log: said[0] ?? '', metrics: said[1] ?? '' }
}

describe('an error that nobody caught', () => {
  it.each([
    ['a rejection', "void Promise.reject(new Error('broken here'))", 'rejection'],
    ['an exception', "setImmediate(() => { throw new Error('broken here') })", 'exception'],
    ['what is no error', "void Promise.reject('broken here')", 'rejection'],
  ])('is logged and counted and ends nothing: %s', async (_what, breakIt, kind) => {
    const { code, log, metrics } = await run(breaking(breakIt))
    expect(code, metrics).toBe(0)
    expect(log).toContain('broken here')
    expect(log).toContain('"nobody caught this error"')
    expect(metrics).toContain(`sbom_monitor_unexpected_errors_total{kind="${kind}"} 1`)
  })

  it('is counted from 0 on, so that the first one is seen', async () => {
    const { metrics } = await run(breaking(''))
    for (const kind of ['rejection', 'exception'])
      expect(metrics).toContain(`sbom_monitor_unexpected_errors_total{kind="${kind}"} 0`)
  })

  const full = '/dev/full'
  it.runIf(existsSync(full))('does not hide that the log cannot be written any more', async () => {
    const { code } = await run(breaking("log.info('lost')"), openSync(full, 'w'))
    expect(code).toBe(3)
  })
})
