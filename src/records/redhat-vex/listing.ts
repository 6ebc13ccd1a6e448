import { existingTime } from '../../contract/calendar.ts'
import { describeContent, RefusedData } from '../../source-files/refused-data.ts'

/** A file in `changes.csv` or `deletions.csv`, and when it was released or deleted. */
export type Listed = { cve: string; file: string; at: Date }

/** `"2024/cve-2024-9355.json","2024-11-18T08:56:36+00:00"` */
const lineForm = /^"?(\d{4}\/(cve-\d{4}-\d{4,19})\.json)"?,"?([0-9T:.Z+-]{10,40})"?$/

/** Refuses (`RefusedData`) what is no such list; a file of the list is named by its form alone, so that it leads nowhere else. */
export function readListing(body: Buffer, name: string): Listed[] {
  const listed = new Map<string, Listed>()
  for (const line of body.toString('utf8').split('\n')) {
    const text = line.trim()
    if (text === '') continue
    const [, file, id, time] = lineForm.exec(text) ?? []
    const at = existingTime(time ?? '')
    if (file === undefined || id === undefined || at === null)
      throw new RefusedData(`${name}: expected files with times, found ${describeContent(Buffer.from(text))}`)
    const cve = id.toUpperCase()
    const known = listed.get(cve)
    if (known === undefined || known.at < at) listed.set(cve, { cve, file, at })
  }
  return [...listed.values()].sort((a, b) => b.at.getTime() - a.at.getTime())
}
