import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkoutDir } from '../support/test-server.ts'
import { textIn } from '../support/read-as.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-pack-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const clientDir = join(checkoutDir, 'client')

test('npm pack makes an archive whose client runs', () => {
  const built = (path: string) => basename(path) === 'dist' || path.endsWith('.tgz')
  cpSync(clientDir, join(folder, 'client'), { recursive: true, filter: (path) => !built(path) })
  cpSync(join(checkoutDir, 'tsconfig.base.json'), join(folder, 'tsconfig.base.json'))
  symlinkSync(join(checkoutDir, 'node_modules'), join(folder, 'node_modules'))

  execFileSync('npm', ['pack'], { cwd: join(folder, 'client'), stdio: 'pipe' })
  execFileSync('tar', ['-xzf', join(folder, 'client/sbom-monitor-0.1.0.tgz'), '-C', folder])
  const main = join(folder, 'package/dist/main.js')
  const { status, stdout } = spawnSync(process.execPath, [main, '--help'], { encoding: 'utf8' })
  expect(stdout).toContain('sbom-monitor upload')
  expect(status).toBe(0)
})

test('a fresh clone packs with the compiler that the project has', () => {
  const own: unknown = JSON.parse(readFileSync(join(checkoutDir, 'package.json'), 'utf8'))
  const build = readFileSync(join(clientDir, 'build.mjs'), 'utf8')
  expect(build).toContain(`--package=typescript@${textIn(own, 'devDependencies', 'typescript')}'`)
})
