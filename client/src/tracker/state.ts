import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { usageFailure } from '../failure.ts'

/** Of each project, by its UUID: which import was copied last, and what the BOM said. */
export type Copied = Record<string, { importedAt: number; digest: string }>

/** By the addresses of the platform and the service: one file can serve several. */
type State = { version: 1; copied: Record<string, Copied> }

/** What was copied before; nothing where there is no file yet. Fails as usage on a file that is something else, or cannot be written. */
export function openState(path: string, pair: string): Copied {
  const copied = readWhole(path).copied[pair] ?? {}
  try {
    writeState(path, pair, copied)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw usageFailure(`the state file cannot be written: ${error.message}`)
  }
  return copied
}

/** Written whole or not at all, after each BOM: a run that is broken off copies no BOM twice. Throws what the file system says. */
export function writeState(path: string, pair: string, copied: Copied): void {
  const state = readWhole(path)
  state.copied[pair] = copied
  writeFileSync(`${path}.new`, `${JSON.stringify(state, null, 2)}\n`)
  renameSync(`${path}.new`, path)
}

function readWhole(path: string): State {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      return { version: 1, copied: {} }
    throw usageFailure(`the state file cannot be read: ${(error as Error).message}`)
  }
  const state = parsed(text)
  if (state === null) throw usageFailure(`${path} is no state file of pull-dependency-track`)
  return state
}

function parsed(text: string): State | null {
  try {
    const state = JSON.parse(text) as Partial<State> | null
    const isState =
      state?.version === 1 && isRecord(state.copied) && Object.values(state.copied ?? {}).every(isRecord)
    return isState ? (state as State) : null
  } catch {
    return null
  }
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Of what a BOM says: each export has a serial number and a time of its own. */
export function digestOf({ serialNumber: _serial, metadata, ...rest }: Record<string, unknown>): string {
  const { timestamp: _timestamp, ...said } = (metadata ?? {}) as Record<string, unknown>
  return createHash('sha256')
    .update(JSON.stringify([said, rest]))
    .digest('hex')
}
