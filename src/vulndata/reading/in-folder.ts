import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boundYoungGeneration } from '../../platform/heap.ts'

/** Does work that keeps files in a folder, which is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'vulnerability-data-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same for all of an import, which keeps the heap of its process small. */
export async function inImportFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const unbound = boundYoungGeneration()
  return inFolder(work).finally(unbound)
}
