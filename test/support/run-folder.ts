import { tmpdir } from 'node:os'
import { createRunFolder, removeLeftoverServers, removeRunFolder } from './test-server.ts'

/** The folder for files worth keeping between runs, whatever the run's temporary folder. */
export function keptFolder(): string {
  return process.env['KEPT_TMPDIR'] ?? tmpdir()
}

/**
 * Redirects all temporary files of this process and its children to one folder of the run, and removes those of killed runs. Returns a
 * function that removes the folder, including files of killed tests.
 */
export async function openRunFolder(): Promise<() => Promise<void>> {
  await removeLeftoverServers()
  const folder = await createRunFolder()
  const before = tmpdir()
  process.env['KEPT_TMPDIR'] ??= before
  process.env['TMPDIR'] = folder
  return async () => {
    process.env['TMPDIR'] = before
    await removeRunFolder(folder)
  }
}
