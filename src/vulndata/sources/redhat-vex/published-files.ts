import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Listed } from '../../../records/redhat-vex/listing.ts'
import { reasonElseThrow, RefusedData, refuseUnlessOk } from '../../../source-files/refused-data.ts'
import type { RefreshTurn } from '../source.ts'

const maxFileBytes = 64 * 1024 ** 2
/** The maximum fetched one by one in a refresh, and the maximum that may be missing; the rest wait for the next. */
const filesPerTurn = 500

/** Files that are not there are passed over; any other answer ends the turn, because the next file would hardly be answered otherwise. */
export async function fetchChanged(
  turn: RefreshTurn,
  changed: readonly Listed[],
  path: string,
): Promise<{ had: Listed[]; refusal: string | null }> {
  const had: Listed[] = []
  const missing: string[] = []
  for (const listed of changed) {
    if (had.length === filesPerTurn || missing.length === filesPerTurn) break
    try {
      const body = await fetchIfThere(turn, listed.file, maxFileBytes)
      if (body === undefined) missing.push(listed.file)
      else {
        await writeFile(join(path, `${listed.cve}.json`), body)
        had.push(listed)
      }
    } catch (error) {
      return { had, refusal: reasonElseThrow(error) }
    }
  }
  return { had, refusal: describeMissing(missing) }
}

function describeMissing([first, ...others]: readonly string[]): string | null {
  if (first === undefined) return null
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `changes.csv names ${first}${more}, not there yet: asked for again in the next turn`
}

export async function fetchText(turn: RefreshTurn, name: string, maxBytes: number): Promise<Buffer> {
  const body = await fetchIfThere(turn, name, maxBytes)
  if (body === undefined) throw new RefusedData(`${name}: expected status 200, found 404`)
  return body
}

/** undefined: its publisher says that there is no such file. */
export async function fetchIfThere(
  { outbound, address }: RefreshTurn,
  name: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const { status, body } = await outbound.ask({ url: `${address}/${name}`, purpose: 'feed', maxBytes })
  if (status === 404) return undefined
  refuseUnlessOk(status, name)
  return body
}
