import { parseArgs } from 'node:util'
import { ServiceError } from '../../contract/errors.ts'
import type { Moving } from '../../originals/move.ts'
import type { OriginalColumn } from '../../originals/original-column.ts'
import { operator, UsageError, workspaceNamed, type Command } from '../command.ts'
import type { Process } from '../open-process.ts'
import { progressLine } from '../progress.ts'

/** Originals in an object store (docs/object-storage.md). */
export const objectCommands: Record<string, Command> = {
  'objects move': {
    usage: 'objects move --to <store | database> [--workspace <slug>]',
    summary:
      'move originals into the object store or back while the service runs, each read back and compared; run again after an interruption, it goes on',
    run: move,
  },
  'objects check': {
    usage: 'objects check [--remove-orphans]',
    summary:
      'read every original in the object store and compare it, and list what is there but belongs to nothing; status 1 when one is missing or damaged',
    run: check,
  },
  'objects give-up': {
    usage: 'objects give-up --workspace <slug> <SHA-256>…',
    summary:
      'give up originals that the object store has lost for good, each by its SHA-256: the workspace can be exported then, and everybody reads that they are lost',
    run: giveUp,
  },
  'objects erase': {
    usage: 'objects erase',
    summary:
      'erase at once what nothing names any more in the bucket that OBJECT_STORE_URL names for this command, even one that the service no longer uses',
    run: erase,
  },
}

/** Every table that names originals. */
export async function originalColumns(): Promise<readonly OriginalColumn[]> {
  const { originalColumns: columns } = await import('../../views/operation/original-columns.ts')
  return columns
}

async function move(process: Process, args: string[]): Promise<unknown> {
  const { values } = parseArgs({ args, options: { to: { type: 'string' }, workspace: { type: 'string' } } })
  const { to, workspace: slug } = values
  if (to !== 'store' && to !== 'database') throw new UsageError('expected --to store or --to database')
  refuseWithoutStore(process)
  const takesNew = process.config.objectStore?.takesNew === true
  if (to === 'store' && !takesNew)
    throw new UsageError('OBJECT_STORE_UPLOADS is database: what is sent meanwhile would go there again')
  // those of one workspace are moved before it goes elsewhere, when it is frozen and nothing is sent to it
  if (to === 'database' && takesNew && slug === undefined)
    throw new UsageError(
      'set OBJECT_STORE_UPLOADS=database first, for the service and for this command: what is sent meanwhile would go into the store again',
    )
  const { moveToDatabase, moveToStore } = await import('../../originals/move.ts')
  const one = slug === undefined ? {} : { workspaceId: await workspaceNamed(process.db, slug) }
  const moving = { ...(await movingOf(process)), ...one }
  const moved = await inWords(() => (to === 'store' ? moveToStore : moveToDatabase)(process.db, moving))
  if (moved.unreadable > 0) globalThis.process.exitCode = 1
  return { to, ...(slug === undefined ? {} : { workspace: slug }), ...moved }
}

export async function movingOf({
  originals,
  sealing,
  now,
}: Pick<Process, 'originals' | 'sealing' | 'now'>): Promise<Moving> {
  return { originals, sealing, columns: await originalColumns(), now, onProgress: progressLine() }
}

async function check(process: Process, args: string[]): Promise<unknown> {
  const { values } = parseArgs({
    args,
    options: { 'remove-orphans': { type: 'boolean', default: false } },
  })
  refuseWithoutStore(process)
  const { checkObjects } = await import('../../originals/check.ts')
  const { db, originals } = process
  const checking = { removeOrphans: values['remove-orphans'], onProgress: progressLine() }
  const checked = await checkObjects(db, originals, checking)
  if (checked.missing.length + checked.damaged.length > 0) globalThis.process.exitCode = 1
  return checked
}

const notGivenUp = 'Nothing was given up.'

async function giveUp({ db, originals, now }: Process, args: string[]): Promise<unknown> {
  const { positionals: sha256, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { workspace: { type: 'string' } },
  })
  const { workspace: slug } = values
  if (slug === undefined) throw new UsageError('expected --workspace')
  const strange = sha256.find((hash) => !/^[0-9a-f]{64}$/.test(hash))
  if (strange !== undefined || sha256.length === 0)
    throw new UsageError(
      `expected the SHA-256 of each original, 64 hexadecimal digits; found ${strange === undefined ? 'none' : `"${strange}"`}`,
    )
  refuseWithoutStore({ originals })
  const { giveUpOriginals } = await import('../../workspace/originals/give-up-originals.ts')
  const workspaceId = await workspaceNamed(db, slug)
  const asked = { workspaceId, originals, sha256, actor: operator, now: now() }
  const givenUp = await inWords(() => giveUpOriginals(db, asked), notGivenUp)
  return { workspace: slug, givenUp }
}

async function erase({ db, originals, now }: Process, args: string[]): Promise<unknown> {
  parseArgs({ args, options: {} })
  refuseWithoutStore({ originals })
  const { eraseWaiting } = await import('../../workspace/originals/erase-originals.ts')
  const { ObjectStoreError } = await import('../../originals/objects/object-store.ts')
  try {
    return await eraseWaiting(db, { originals, now: now() })
  } catch (error) {
    if (!(error instanceof ObjectStoreError)) throw error
    throw new UsageError(
      `${error.message}. What was erased stays erased and recorded; run the command again.`,
    )
  }
}

function refuseWithoutStore({ originals }: Pick<Process, 'originals'>): void {
  if (originals.store === null)
    throw new UsageError('there is not an object store: OBJECT_STORE_URL is not set for this command')
}

const resumable = 'What was moved stays moved; run the command again.'

/** What the store does not do is for the operator to put right. */
async function inWords<T>(act: () => Promise<T>, whatIs = resumable): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const { ObjectStoreError } = await import('../../originals/objects/object-store.ts')
    if (error instanceof ObjectStoreError) throw new UsageError(`${error.message}. ${whatIs}`)
    if (!(error instanceof ServiceError)) throw error
    throw new UsageError(error.code === 'not_configured' ? `${error.message} ${whatIs}` : error.message)
  }
}
