import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { childEnvironment } from '../platform/child-environment.ts'

/** Everything the built files derive from. */
const sources = ['web', 'src/contract', 'package-lock.json']
const stampFile = 'web/dist/.stamp'

/** Builds the web application when its sources differ from those of the last build. Answers the folder of the built files. */
export async function buildWebWhenStale(checkoutDir: string, log: Logger): Promise<string> {
  const distDir = join(checkoutDir, 'web/dist')
  const stamp = await hashSources(checkoutDir)
  if ((await readStamp(checkoutDir)) === stamp) return distDir
  log.info('building the web application')
  const startedAt = performance.now()
  await runVite(checkoutDir)
  await writeFile(join(checkoutDir, stampFile), stamp)
  log.info({ durationMs: Math.round(performance.now() - startedAt) }, 'web application built')
  return distDir
}

/** In a process of its own: building takes memory and changes the environment of the process it runs in. */
async function runVite(checkoutDir: string): Promise<void> {
  const vite = fileURLToPath(new URL('../../bin/vite.js', import.meta.resolve('vite')))
  const args = [vite, 'build', '--config', join(checkoutDir, 'web/vite.config.ts'), '--logLevel', 'warn']
  const child = spawn(process.execPath, args, {
    cwd: checkoutDir,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: childEnvironment({ NODE_ENV: 'production' }),
  })
  const errors: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0)
    throw new Error(`the web application could not be built: ${Buffer.concat(errors).toString()}`)
}

async function readStamp(checkoutDir: string): Promise<string | undefined> {
  try {
    return await readFile(join(checkoutDir, stampFile), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function hashSources(checkoutDir: string): Promise<string> {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of await listFiles(join(checkoutDir, source))) {
      hash.update(file.slice(checkoutDir.length)).update('\0')
      hash.update(await readFile(file)).update('\0')
    }
  }
  return hash.digest('hex')
}

async function listFiles(path: string): Promise<string[]> {
  if (!path.endsWith('package-lock.json')) {
    const entries = await readdir(path, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !file.includes('/dist/') && !file.includes('/node_modules/'))
      .sort()
  }
  return [path]
}
