import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { StoreConfig } from '../../src/platform/postgres/store.ts'
import { objectIn } from '../support/read-as.ts'

type Opened = {
  dataDir: string
  connection: { host: string; port: number }
  version: string
  elapsedMs: number
}

/** Another process that uses the store. */
export type StoreUser = {
  opened: Opened
  process: ChildProcess
  /** Closes the store and exits. */
  leave: () => Promise<void>
  /** Exits like a crash. */
  kill: () => Promise<void>
}

/** Starts a process that opens the store, optionally under another account. Rejects with its error. */
export async function startStoreUser(
  config: StoreConfig,
  account?: { uid: number; gid: number },
): Promise<StoreUser> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'store-process.ts'), JSON.stringify(config)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      cwd: '/',
      ...account,
    },
  )
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const opened = await nextLine(lines)
  const exit = once(child, 'exit')
  if (typeof opened['error'] === 'string') throw new Error(opened['error'])
  return {
    opened: opened as unknown as Opened,
    process: child,
    leave: async () => {
      child.stdin.end()
      const closed = await nextLine(lines)
      if (typeof closed['error'] === 'string') throw new Error(closed['error'])
      await exit
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exit
    },
  }
}

async function nextLine(lines: AsyncIterator<string>): Promise<Record<string, unknown>> {
  const line = await lines.next()
  if (line.done === true) throw new Error('The process ended without a word.')
  return objectIn(line.value)
}
