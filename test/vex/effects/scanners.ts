import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { text } from 'node:stream/consumers'

/** One finding in an SBOM and the VEX document about it; `image` where the image described by the SBOM is scanned. */
export type Scan = {
  tool: 'grype' | 'trivy'
  sbom: string
  vex: string
  package: string
  vulnerability: string
  image: { name: string; tag: string; digest: string } | null
}

export type Effect = { hidden: boolean; error?: string }

const sources = join(import.meta.dirname, '../scanners')

/**
 * Builds the program with grype's and trivy's own VEX code into the folder. `TEST_VEX_SCANNERS` names an existing one, or is `none`.
 * Returns why there is none.
 */
export async function buildScanners(folder: string): Promise<{ path: string } | { missing: string }> {
  const given = process.env['TEST_VEX_SCANNERS'] ?? ''
  if (given === 'none') return { missing: 'TEST_VEX_SCANNERS is none' }
  if (given !== '') return { path: given }
  const path = join(folder, 'scanners')
  const go = (args: string[]) => promisify(execFile)('nice', ['-n', '19', 'go', ...args], { cwd: sources })
  try {
    await go(['list', '-deps', '.'])
  } catch (error) {
    return { missing: `Go or its modules cannot be had: ${String(error)}` }
  }
  // no inlining or optimisation: it runs for a second, and compiling dominates
  await go(['build', '-p', '1', '-gcflags=all=-N -l', '-ldflags=-s -w', '-o', path, '.'])
  return { path }
}

/** The tools' results, in the order of the scans. */
export async function runScanners(path: string, scans: readonly Scan[]): Promise<Effect[]> {
  const child = spawn(path, { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.end(JSON.stringify(scans))
  const ended = new Promise<number | null>((resolve, reject) =>
    child.on('error', reject).on('close', resolve),
  )
  const said = await text(child.stdout)
  const status = await ended
  if (status !== 0) throw new Error(`the scanners ended with ${status}`)
  return JSON.parse(said) as Effect[]
}
