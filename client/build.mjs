import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Builds dist/ for `npm pack`. Types are checked with the rest of the project; here they are only taken out, so a fresh clone
 * needs nothing installed: without the project's compiler npm fetches it.
 */
const here = (path) => join(import.meta.dirname, path)
const installed = here('../node_modules/typescript/bin/tsc')
const options = ['-p', here('tsconfig.build.json')]

rmSync(here('dist'), { recursive: true, force: true })
const { status, error } = existsSync(installed)
  ? spawnSync(process.execPath, [installed, ...options], { stdio: 'inherit' })
  : spawnSync('npm', ['exec', '--yes', '--package=typescript@6.0.3', '--', 'tsc', ...options], {
      stdio: 'inherit',
    })
if (error) throw error
process.exit(status ?? 1)
