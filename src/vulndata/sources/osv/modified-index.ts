import { describeContent, RefusedData } from '../../../source-files/refused-data.ts'
import { splitLines } from '../../../source-files/documents.ts'
import { timeOf } from '../../../source-files/fields.ts'

/** One line of `modified_id.csv`. */
export type ModifiedLine = { modifiedAt: Date; id: string }

const maxLineBytes = 300

/**
 * Reads an OSV `modified_id.csv` (`<RFC 3339 time>,<id>`, newest first) down to the watermark: lines older than it are known. Lines of
 * exactly its time are given too, because a source may write many records with one time. Refuses what is not of that form.
 */
export async function readModified(path: string, watermark: Date | null): Promise<ModifiedLine[]> {
  const lines: ModifiedLine[] = []
  for await (const bytes of splitLines(path)) {
    if (bytes.length === 0) continue
    const line = readLine(bytes)
    if (watermark !== null && line.modifiedAt < watermark) break
    lines.push(line)
  }
  return lines
}

/** The newest time of the index that has come; null when there is none. A record may be dated ahead, and what changes later is before it. */
export async function newestModified(path: string, now: Date): Promise<Date | null> {
  for await (const bytes of splitLines(path)) {
    if (bytes.length === 0) continue
    const { modifiedAt } = readLine(bytes)
    if (modifiedAt <= now) return modifiedAt
  }
  return null
}

function readLine(bytes: Buffer): ModifiedLine {
  const text = bytes.subarray(0, maxLineBytes).toString('utf8').trim()
  const comma = text.indexOf(',')
  const modifiedAt = comma === -1 ? null : timeOf(text.slice(0, comma))
  const id = text.slice(comma + 1)
  if (modifiedAt === null || id === '' || bytes.length > maxLineBytes) {
    throw new RefusedData(`expected an index of times and ids, found ${describeContent(bytes)}`)
  }
  return { modifiedAt, id }
}
