import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { untilWebIsBuilt } from './built-web.ts'
import { feedsOff } from './feeds.ts'
import { freePort } from './free-port.ts'
import { withPooler } from './told-of-pooler.ts'
import { exitCodeOf } from './once-over.ts'

const checkoutDir = join(import.meta.dirname, '../..')
const mainFile = join(checkoutDir, 'src/main.ts')
/** Set by `npm start` and `npm run cli`. */
export const asNpmRun = { NODE_COMPILE_CACHE: join(checkoutDir, 'node_modules/.cache/sbom-monitor') }
/** Additionally set by `npm start`. */
const asNpmStart = { MALLOC_ARENA_MAX: '1' }

/** The product as operators run it: its own process, used over HTTP and the command line. */
export type Service = {
  baseUrl: string
  /** The HTTP process; changes with `restart`. */
  pid: () => number
  /** Standard output and standard error so far. */
  output: () => string
  /** SIGKILL, like a power cut: nothing can be finished. */
  kill: () => Promise<void>
  restart: () => Promise<void>
  /** SIGTERM, and waits for the exit. */
  stop: () => Promise<void>
  /** Runs one command, in its own process. */
  cli: <T>(args: string[], input?: unknown) => Promise<T>
  /** Environment of its processes: for commands in the test process (`runCommand`). */
  env: NodeJS.ProcessEnv
}

type ServiceOptions = {
  /** The store's settings: DATABASE_URL, or DATA_DIR for an embedded one. */
  env: Record<string, string>
  role?: 'all' | 'serve' | 'work'
  readyWithinMs?: number
}

/** Starts the service on a free port and waits until it is ready. */
export async function startService({
  env,
  role = 'all',
  readyWithinMs = 60_000,
}: ServiceOptions): Promise<Service> {
  if (role !== 'work') await untilWebIsBuilt()
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const environment = withPooler({
    ...asNpmRun,
    ...process.env,
    ...feedsOff,
    PORT: String(port),
    BASE_URL: baseUrl,
    ...env,
  })
  const lines: string[] = []
  let child: ChildProcess

  const start = async () => {
    child = spawn(process.execPath, [mainFile, role], {
      env: { ...asNpmStart, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout?.on('data', (chunk: Buffer) => lines.push(chunk.toString()))
    child.stderr?.on('data', (chunk: Buffer) => lines.push(chunk.toString()))
    await waitUntilReady(baseUrl, child, { withinMs: readyWithinMs, output: () => lines.join('') })
  }
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  await start()
  return {
    baseUrl,
    pid: () => child.pid ?? 0,
    output: () => lines.join(''),
    kill: () => end('SIGKILL'),
    restart: start,
    stop: () => end('SIGTERM'),
    cli: <T>(args: string[], input?: unknown) => runCli<T>(environment, args, input),
    env: environment,
  }
}

/** Runs one CLI command and parses the JSON it prints. */
export async function runCli<T>(
  env: Record<string, string | undefined>,
  args: string[],
  input?: unknown,
): Promise<T> {
  const child = spawn(process.execPath, [mainFile, ...args], {
    env: { ...asNpmRun, ...withPooler(env) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  child.stdin.end(input === undefined ? '' : JSON.stringify(input))
  const code = await exitCodeOf(child)
  const printed = Buffer.concat(out).toString()
  if (code !== 0) {
    const why = `${args.join(' ')} ended with ${code}: ${Buffer.concat(err).toString()}`
    throw new Error(why, { cause: printed })
  }
  return JSON.parse(printed) as T
}

async function waitUntilReady(
  baseUrl: string,
  child: ChildProcess,
  { withinMs, output }: { withinMs: number; output: () => string },
): Promise<void> {
  const until = performance.now() + withinMs
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}: ${output()}`)
    try {
      const response = await fetch(`${baseUrl}/readyz`)
      if (response.ok) return
    } catch {
      // not listening yet
    }
    await sleep(25)
  }
  throw new Error(`the service was not ready within ${withinMs} ms: ${output()}`)
}
