import { tmpdir } from 'node:os'
import { createRunFolder, removeLeftoverServers, removeRunFolder } from './test-server.ts'

/** The folder for what is worth keeping from one run to the next, whatever the run has for the rest. */
export function keptFolder(): string {
  return process.env['KEPT_TMPDIR'] ?? tmpdir()
}

/**
 * Has all that this process and its children make in the temporary folder lie in one folder of the run, and removes what killed runs have
 * left. The answer removes the folder, with what killed tests left in it.
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
