import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SealedPlace } from '../platform/sealing/envelope.ts'
import { derivedKey } from '../platform/sealing/derive-key.ts'
import { createKeyRing, parseKeys, type KeyRing } from '../platform/sealing/key-ring.ts'
import type { UnreadableReason } from '../originals/originals.ts'
import { MoveError } from './move-error.ts'

export const formatVersion = 3

/** What an archive says about itself, first of all. */
export type ArchiveHeader = {
  format: 'sbom-monitor-workspace'
  formatVersion: typeof formatVersion
  /** ISO 8601, UTC. */
  createdAt: string
  /** The id of the transport key, to tell another key from a damaged file. */
  key: number
  /** The steps of the schema that the rows fit, oldest first. */
  migrations: { name: string; sha256: string }[]
  workspace: { id: string; slug: string; companyName: string; slugIsPublished: boolean }
  /** How far its audit trail went. */
  trail: { events: number; hash: string }
}

/** What an archive holds: how many files, rows of each table, and a digest over them. */
export type ArchiveSummary = {
  header: ArchiveHeader
  originals: number
  /** Originals that the rows name and the archive lacks: they were given up at the source. */
  lost: LostHead[]
  tables: Record<string, TableSummary>
}
export type TableSummary = { rows: number; sha256: string }

/** Which original a part of an archive is: the row that names it. What follows is sealed with the transport key. */
export type OriginalHead = {
  table: string
  id: string
  /** Hexadecimal, of the file as it was sent. */
  sha256: string
}

/** One that was given up: nothing follows but the end. */
export type LostHead = OriginalHead & { lost: UnreadableReason }

/** What an original is sealed for on its way. */
export function placeOnTheWay(workspaceId: string, { table, id }: OriginalHead): SealedPlace {
  return { purpose: `original in ${table}`, workspaceId, rowId: id }
}

/** Reads the transport key of an operator: 32 random bytes, as `ENCRYPTION_KEYS` has them. Throws MoveError `file_unusable`. */
export async function readTransportKey(file: string): Promise<KeyRing> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new MoveError('file_unusable', `The transport key in ${file} cannot be read.`, { cause })
  })
  try {
    const ring = createKeyRing(parseKeys(text).slice(0, 1))
    if (ring !== null) return ring
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new MoveError('file_unusable', `The transport key in ${file} cannot be read: ${reason}.`, { cause })
  }
  throw new MoveError('file_unusable', `${file} holds no transport key.`)
}

/** The proof that an archive was written by whoever has the transport key, and is whole. */
export function sealOf(ring: KeyRing, sha256: string): string {
  return createHmac('sha256', derivedKey(ring, 'archive of a workspace').key).update(sha256).digest('hex')
}

export function isSealed(ring: KeyRing, sha256: string, seal: unknown): boolean {
  if (typeof seal !== 'string') return false
  const expected = Buffer.from(sealOf(ring, sha256))
  const found = Buffer.from(seal)
  return found.length === expected.length && timingSafeEqual(found, expected)
}
