import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '../store-error.ts'

const retryMs = 20
const sqliteBusy = 5

/**
 * Runs `work` while no other process prepares, examines or starts the server of the same data folder. SQLite is used
 * only for its file lock: the only one in Node that the system itself releases when a process is killed. The file stays
 * empty. Throws `not_ready` after `patienceMs`.
 */
export async function withStartLock<T>(file: string, patienceMs: number, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 })
  try {
    const giveUpAt = performance.now() + patienceMs
    while (!tryLock(lock)) {
      if (performance.now() > giveUpAt) {
        throw new StoreError(
          'not_ready',
          `Another process has held ${file} for ${patienceMs / 1000} s while starting.`,
        )
      }
      await sleep(retryMs)
    }
    return await work()
  } finally {
    lock.close()
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false
    throw error
  }
}
