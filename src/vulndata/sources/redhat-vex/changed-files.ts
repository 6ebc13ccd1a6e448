import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Listed } from '../../../records/redhat-vex/listing.ts'
import { reasonElseThrow } from '../../../source-files/refused-data.ts'
import { noteUnread, selectAsked } from '../../ledger/unread-files.ts'
import type { UnreadDocument } from '../../reading/record-import.ts'
import type { RefreshTurn } from '../source.ts'
import { fetchIfThere } from './published-files.ts'

const sourceName = 'redhat-vex'
const maxFileBytes = 64 * 1024 ** 2
/** The maximum read one by one in a refresh; the rest wait for the next. */
const filesPerTurn = 500
/** The maximum that may fail in a refresh, and how many of those that failed before are asked for again. */
const failuresPerTurn = 1_000
const againPerTurn = 100
/** So many other answers than files one after the other are the fault of the server, not of the files. */
const failuresOfServer = 3

/** Of a file that could not be had or read, as in the archive. */
export const nameOf = ({ file }: Listed) => basename(file)

/** Those that never failed as they are now come first, so that others cannot keep them waiting. */
export async function selectTurn({ db, now }: RefreshTurn, changed: readonly Listed[]): Promise<Listed[]> {
  const { fresh, again } = await selectAsked(db, { source: sourceName, now }, changed, (listed) => ({
    name: nameOf(listed),
    changedAt: listed.at,
  }))
  return [...fresh, ...again.slice(0, againPerTurn)]
}

/** What fails is noted and passed over, unless it is the server that fails: then the next file would hardly be answered otherwise. */
export async function fetchChanged(
  turn: RefreshTurn,
  changed: readonly Listed[],
  path: string,
): Promise<{ had: Listed[]; refusal: string | null }> {
  const had: Listed[] = []
  const failed: UnreadDocument[] = []
  const refusals: string[] = []
  for (const listed of changed) {
    if (had.length === filesPerTurn || failed.length === failuresPerTurn) break
    if (refusals.length === failuresOfServer) break
    try {
      const body = await fetchIfThere(turn, listed.file, maxFileBytes)
      refusals.length = 0
      if (body === undefined) {
        failed.push({ name: nameOf(listed), reason: `changes.csv names ${listed.file}, not there yet` })
        continue
      }
      await writeFile(join(path, nameOf(listed)), body)
      had.push(listed)
    } catch (error) {
      refusals.push(reasonElseThrow(error))
      failed.push({ name: nameOf(listed), reason: refusals.at(-1) ?? '' })
    }
  }
  await noteUnread(turn.db, { source: sourceName, now: turn.now }, failed)
  return { had, refusal: refusals.length === failuresOfServer ? (refusals[0] ?? null) : null }
}
