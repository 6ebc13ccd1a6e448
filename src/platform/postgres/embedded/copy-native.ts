import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../store-error.ts'

/** Parts for building extensions, which no server needs. */
const skippedFolders = new Set(['pgxs', 'pkgconfig', 'include'])

/**
 * Copies PostgreSQL's files to `destination`, readable by every account, once: a copy that exists is complete, because it
 * appears under its name only when `finish` has run on it.
 */
export async function copyNative(
  source: string,
  destination: string,
  finish: (folder: string) => Promise<void>,
): Promise<void> {
  const isThere = await readdir(destination).then(
    () => true,
    () => false,
  )
  if (isThere) return
  const unfinished = await mkdtemp(`${destination}.`)
  try {
    await copyTree(source, unfinished)
    await finish(unfinished)
    await rename(unfinished, destination)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    const code = errorCode(error)
    // Another process finished first; its copy is the same.
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
  }
}

async function copyTree(source: string, destination: string): Promise<void> {
  await mkdir(destination, { recursive: true })
  // The mode is set afterwards: the umask of the service may take the others' rights away.
  await chmod(destination, 0o755)
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const from = join(source, entry.name)
    const to = join(destination, entry.name)
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) await copyTree(from, to)
    if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(from, to)
      const isProgram = ((await stat(from)).mode & 0o100) !== 0
      await chmod(to, isProgram ? 0o755 : 0o644)
    }
  }
}
