import { ServiceError } from '../../../contract/errors.ts'
import type { Tx } from '../../../database/connection.ts'
import { openSnapshot, takePlace } from '../../../platform/postgres/snapshot.ts'
import type { Reads } from '../../../platform/postgres/replica/reads.ts'
import type { FullShare, ShareBounds, Shares } from '../../../platform/concurrency/shares.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Member } from '../routing/member.ts'

/** The files that one person and one workspace are sent at the same time, whichever processes send them. */
const share = { person: 2, workspace: 4 }
const retryAfterSeconds = 30
/** Longer than the reader of a file may be idle. */
const idleMs = 4 * 60_000

/** Each export keeps a session of the database for as long as its download takes; half of the sessions stay free. */
export function exportBounds(poolSize: number): ShareBounds {
  return { ...share, process: Math.floor(poolSize / 2) }
}

type Exporting = Pick<Member, 'workspaceId' | 'person' | 'seen'> & { deps: { reads: Reads; exports: Shares } }

/**
 * Takes a slot among the exports of the person and of the workspace, and a snapshot; `held` releases both. `begin` reads what is
 * needed before anything is sent; again on the primary, where a standby failed. The limits of this process come first, so that a
 * refusal costs the store nothing. Codes: `rate_limited`.
 */
export async function beginExport<T>(
  { workspaceId, person: { personId }, seen, deps: { reads, exports } }: Exporting,
  held: AsyncDisposableStack,
  begin: (tx: Tx) => Promise<T>,
): Promise<T> {
  const place = exports.take({ personId, workspaceId })
  if (typeof place !== 'function') throw refusal(place)
  held.defer(place)
  return reads.read({ seen, held }, async (db) => {
    await using own = new AsyncDisposableStack()
    const tx = await openSnapshot(db, own, idleMs)
    if (!(await takePlace(tx, `export of person ${personId}`, share.person))) throw refusal('person')
    if (!(await takePlace(tx, `export of workspace ${workspaceId}`, share.workspace)))
      throw refusal('workspace')
    const begun = await begin(tx)
    held.use(own.move())
    return begun
  })
}

/** A workspace gets one archive at a time. Codes: `rate_limited`. */
export async function takeArchivePlace(tx: Tx, workspaceId: string): Promise<void> {
  if (await takePlace(tx, `archive ${workspaceId}`, 1)) return
  throw new ServiceError('rate_limited', {
    message: 'An archive of this workspace is being downloaded. Wait until it has ended.',
    retryAfterSeconds,
  })
}

const refusals: Record<FullShare, string> = {
  person: `You already have ${share.person} exports running, the most that one person can have. Wait until one of them has finished.`,
  workspace: `This workspace already has ${share.workspace} exports running, the most that it can have. Wait until one of them has finished.`,
  process: 'Too many exports are being made at this moment. Try again in a minute.',
}

function refusal(full: FullShare): ServiceError {
  return new ServiceError('rate_limited', { message: refusals[full], retryAfterSeconds })
}

/** Called when an export could not release something; the store or the end of the process will. */
export function reportLeft({ log }: Pick<HttpDeps, 'log'>): (error: unknown) => void {
  return (error) => log.warn({ err: error }, 'an export could not be ended in order')
}
