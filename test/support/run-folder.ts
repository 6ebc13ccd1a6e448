import { access, chmod, constants, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRunFolder, removeLeftoverServers, removeRunFolder } from './test-server.ts'

/** Files in memory, on Linux. */
export const memoryFolder = '/dev/shm'
/** Several times what a run takes at its most. */
const roomBytes = 8 * 1024 ** 3

/** The folder for files worth keeping between runs, whatever the run's temporary folder. */
export function keptFolder(): string {
  return process.env['KEPT_TMPDIR'] ?? tmpdir()
}

/**
 * Redirects all temporary files of this process and its children to one folder of the run, and removes those of killed runs. Returns a
 * function that removes the folder, including files of killed tests. `inMemory`: where there is room, and TMPDIR names no other place.
 */
export async function openRunFolder({ inMemory = false } = {}): Promise<() => Promise<void>> {
  const before = tmpdir()
  for (const place of new Set([before, memoryFolder])) await removeLeftoverServers(place)
  const isFree = inMemory && process.env['TMPDIR'] === undefined
  const folder = (isFree ? await createInMemory() : null) ?? (await createRunFolder(before))
  process.env['KEPT_TMPDIR'] ??= before
  process.env['TMPDIR'] = folder
  return async () => {
    process.env['TMPDIR'] = before
    await removeRunFolder(folder)
  }
}

/**
 * Each database server and each database is hundreds of files, made and removed: on a disk that takes a fifth of the processor time of all
 * tests. Null where memory has no room for them, or where programs that lie there cannot be run: tests write some.
 */
async function createInMemory(): Promise<string | null> {
  const { bavail, bsize } = await statfs(memoryFolder).catch(() => ({ bavail: 0, bsize: 0 }))
  if (Math.min(bavail * bsize, process.availableMemory()) < roomBytes) return null
  const folder = await createRunFolder(memoryFolder)
  const program = join(folder, 'program')
  await writeFile(program, '')
  await chmod(program, 0o700)
  const mayRun = await access(program, constants.X_OK).then(
    () => true,
    () => false,
  )
  await rm(program)
  if (mayRun) return folder
  await rm(folder, { recursive: true })
  return null
}
