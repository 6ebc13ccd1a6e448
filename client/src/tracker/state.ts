import { createHash } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { usageFailure } from '../failure.ts'

/** For each project, by UUID: the import last copied, and a digest of its BOM. */
export type Copied = Record<string, { importedAt: number; digest: string }>

/** By the addresses of Dependency-Track and the service: one file can serve several. */
type State = { version: 1; copied: Record<string, Copied> }

/** What was copied before; empty if there is no file yet. Fails as usage if the file is something else or not writable. */
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

/** Written atomically after each BOM: an interrupted run copies no BOM twice. Throws the file system's error. */
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
  if (state === null) throw usageFailure(`${path} is not a state file of pull-dependency-track`)
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

/** A digest of the content: each export has its own serial number and time. */
export function digestOf({ serialNumber: _serial, metadata, ...rest }: Record<string, unknown>): string {
  const { timestamp: _timestamp, ...said } = (metadata ?? {}) as Record<string, unknown>
  return createHash('sha256')
    .update(JSON.stringify([said, rest]))
    .digest('hex')
}
