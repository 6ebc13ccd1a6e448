import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file that makes the product clock of every process run from `time` on. */
export async function withClockFrom<T>(time: Date, run: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'sbom-monitor-clock-'))
  const file = join(folder, 'offset')
  await writeFile(file, String(time.getTime() - Date.now()))
  try {
    return await run(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** After the Cyber Resilience Act starts to require reports. */
export const reportingTime = new Date('2026-10-01T08:00:00.000Z')
