/** A file of the archive. Its name has letters of ASCII alone, and nothing that somebody has typed. */
export type ExportFile = { name: string; bytes: Buffer }

/** What is in memory of a list at once. */
const partBytes = 4 * 1024 * 1024
export const rowsAtOnce = 500

export type Ids = readonly { id: string }[]

export function idsOf(rows: Ids): string[] {
  return rows.map(({ id }) => id)
}

/** One value as JSON that people can read. */
export function jsonFile(name: string, value: unknown): ExportFile {
  return { name: `${name}.json`, bytes: Buffer.from(`${JSON.stringify(value, null, 2)}\n`) }
}

/**
 * A list of any length, a row of JSON in each line: `findings.ndjson` and, because the size of a file is written before it,
 * `findings-2.ndjson` and so on behind a few megabytes. An empty list is an empty file.
 */
export async function* listFiles(
  name: string,
  pages: AsyncIterable<readonly unknown[]>,
): AsyncGenerator<ExportFile> {
  let lines: Buffer[] = []
  let bytes = 0
  let part = 1
  for await (const rows of pages) {
    for (const row of rows) {
      const line = Buffer.from(`${JSON.stringify(row)}\n`)
      lines.push(line)
      bytes += line.length
      if (bytes < partBytes) continue
      yield { name: partName(name, part), bytes: Buffer.concat(lines) }
      lines = []
      bytes = 0
      part += 1
    }
  }
  if (part === 1 || bytes > 0) yield { name: partName(name, part), bytes: Buffer.concat(lines) }
}

function partName(name: string, part: number): string {
  return part === 1 ? `${name}.ndjson` : `${name}-${part}.ndjson`
}
