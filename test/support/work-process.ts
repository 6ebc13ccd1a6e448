import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { childEnvironment } from '../../src/platform/child-environment.ts'
import { join } from 'node:path'
import { feedsOff } from './feeds.ts'
import { asNpmRun } from './service.ts'
import { checkoutDir } from './test-server.ts'
import { withPooler } from './told-of-pooler.ts'

/** A process of the role `work`: without HTTP there is no readiness to wait for, its work shows that it is alive. */
export type WorkProcess = {
  pid: number
  /** Its output so far. */
  output: () => string
  /** SIGKILL: nothing can be finished. */
  kill: () => Promise<void>
  /** SIGTERM, and waits for the exit. Throws if it had already ended. */
  stop: () => Promise<void>
}

export function startWorkProcess(env: Record<string, string>): WorkProcess {
  const child = spawn(process.execPath, [join(checkoutDir, 'src/main.ts'), 'work'], {
    env: childEnvironment(withPooler({ ...asNpmRun, BASE_URL: 'http://localhost', ...feedsOff, ...env })),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => lines.push(chunk.toString()))
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`a work process had ended: ${lines.join('').slice(-2_000)}`)
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    pid: child.pid ?? 0,
    output: () => lines.join(''),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
