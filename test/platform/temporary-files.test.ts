import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { keptFolder, memoryFolder } from '../support/run-folder.ts'
import { createRunFolder, removeRunFolder } from '../support/test-server.ts'

it('what tests and their processes make in the temporary folder lies in the folder of the run', () => {
  expect(basename(tmpdir())).toMatch(/^sbom-monitor-test-\d+-/)
  const script = 'process.stdout.write(require("node:os").tmpdir())'
  expect(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })).toBe(tmpdir())
  expect([keptFolder(), memoryFolder]).toContain(dirname(tmpdir()))
  expect(basename(keptFolder())).not.toMatch(/^sbom-monitor-test-/)
})

it('the folder of a run goes with whatever was left in it', async () => {
  const folder = await createRunFolder()
  const left = mkdtempSync(join(folder, 'left-by-a-killed-test-'))
  mkdirSync(join(left, 'deep'))
  writeFileSync(join(left, 'deep', 'file'), 'x')
  await removeRunFolder(folder)
  expect(existsSync(folder)).toBe(false)
})
