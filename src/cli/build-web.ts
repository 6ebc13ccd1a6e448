import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { childEnvironment } from '../platform/child-environment.ts'

/** Everything the built files derive from. */
const sources = ['web', 'src/contract', 'package-lock.json']
const stampFile = '.stamp'

/** Thrown when an operator has to build the application elsewhere, or make room for it here. */
export class WebBuildError extends Error {
  override name = 'WebBuildError'
}

type Build = { log: Logger; stopping?: AbortSignal }

/**
 * Builds the web application when its sources differ from those of the last build, which nothing is written for otherwise: a
 * checkout with a built application may be read-only. Returns the folder of the built files.
 */
export async function buildWebWhenStale(checkoutDir: string, { log, stopping }: Build): Promise<string> {
  const distDir = join(checkoutDir, 'web/dist')
  const stamp = hashSources(checkoutDir)
  if ((await readStamp(distDir)) === stamp) return distDir
  log.info('building the web application')
  const startedAt = performance.now()
  const unfinished = await makeFolder(checkoutDir)
  try {
    await runVite(checkoutDir, unfinished, stopping)
    await writeFile(join(unfinished, stampFile), stamp)
    await putInPlace(unfinished, distDir, stamp)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  log.info({ durationMs: Math.round(performance.now() - startedAt) }, 'web application built')
  return distDir
}

async function makeFolder(checkoutDir: string): Promise<string> {
  try {
    const folder = await mkdtemp(join(checkoutDir, 'web/.dist-'))
    // Another account than the builder's may start it.
    await chmod(folder, 0o755)
    return folder
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown'
    throw new WebBuildError(
      `The web application has to be built, and ${join(checkoutDir, 'web')} cannot be written (${code}): ` +
        'build it with "npm run build:web" as a user who may write there, before the checkout becomes read-only.',
      { cause },
    )
  }
}

/** Several processes may build at once; the application is there whole, or as it was. */
async function putInPlace(unfinished: string, distDir: string, stamp: string): Promise<void> {
  const replaced = `${unfinished}-replaced`
  await rename(distDir, replaced).catch((error: unknown) => {
    if (!hasCode(error, ['ENOENT'])) throw error
  })
  try {
    await rename(unfinished, distDir)
  } catch (error) {
    const isTheSame = hasCode(error, ['ENOTEMPTY', 'EEXIST']) && (await readStamp(distDir)) === stamp
    if (!isTheSame) throw error
  } finally {
    await rm(replaced, { recursive: true, force: true })
  }
}

/** In a process of its own: building takes memory and changes the environment of the process it runs in. */
async function runVite(
  checkoutDir: string,
  outDir: string,
  stopping: AbortSignal | undefined,
): Promise<void> {
  const vite = fileURLToPath(new URL('../../bin/vite.js', import.meta.resolve('vite')))
  const config = join(checkoutDir, 'web/vite.config.ts')
  const options = ['--config', config, '--configLoader', 'native', '--outDir', outDir, '--logLevel', 'warn']
  const child = spawn(process.execPath, [vite, 'build', ...options], {
    cwd: checkoutDir,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: childEnvironment({ NODE_ENV: 'production' }),
    ...(stopping === undefined ? {} : { signal: stopping }),
  })
  const errors: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0)
    throw new Error(`the web application could not be built: ${Buffer.concat(errors).toString()}`)
}

async function readStamp(distDir: string): Promise<string | undefined> {
  try {
    return await readFile(join(distDir, stampFile), 'utf8')
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return undefined
    throw error
  }
}

function hasCode(error: unknown, codes: string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '')
}

/**
 * Synchronously: no request is waiting yet, and hundreds of small files, each read by another thread in four steps, would take 0.3 s of a start
 * instead of 0.01.
 */
function hashSources(checkoutDir: string): string {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of listFiles(join(checkoutDir, source))) {
      hash.update(file.slice(checkoutDir.length)).update('\0')
      hash.update(readFileSync(file)).update('\0')
    }
  }
  return hash.digest('hex')
}

/** Folders that come and go beside the sources. */
const isBuilt = (name: string): boolean =>
  name.startsWith('.dist-') || ['dist', 'node_modules'].includes(name)

function listFiles(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  const files: string[] = []
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const inside = join(path, entry.name)
    if (entry.isDirectory() && !isBuilt(entry.name)) files.push(...listFiles(inside))
    if (entry.isFile()) files.push(inside)
  }
  return files.sort()
}
