import { readFile } from 'node:fs/promises'
import { verifyTrail, type ChainHead, type Verified } from '../../audit/verify-trail.ts'
import { UsageError } from '../command.ts'
import type { Process } from '../open-process.ts'

/**
 * Compares the audit trail with its chains, and with what an earlier run has printed where a file of that is named. A trail that is not
 * whole ends the command with status 1.
 */
export async function verifyAudit({ db }: Process, args: string[]): Promise<Verified> {
  const [file] = args
  if (args.length > 1) throw new UsageError('expected at most one file')
  const verified = await verifyTrail(db, file === undefined ? [] : await readHeads(file))
  if (!verified.isWhole) globalThis.process.exitCode = 1
  return verified
}

async function readHeads(file: string): Promise<ChainHead[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new UsageError(`"${file}" cannot be read`, { cause })
  })
  const chains = chainsIn(text)
  if (!Array.isArray(chains) || !chains.every(isHead)) {
    throw new UsageError(`expected what "audit verify" has printed; "${file}" is something else`)
  }
  return chains
}

function chainsIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { chains?: unknown } | null)?.chains
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isHead(value: unknown): value is ChainHead {
  const { chain, events, hash } = (value ?? {}) as Partial<Record<keyof ChainHead, unknown>>
  return typeof chain === 'string' && Number.isSafeInteger(events) && typeof hash === 'string'
}
