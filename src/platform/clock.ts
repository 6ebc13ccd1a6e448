import { readFileSync } from 'node:fs'

/** Product time: every business time comes from here, none from SQL `now()`. */
export type Clock = () => Date

/**
 * The product clock. With `offsetFile` (a lab seam) the file's milliseconds are added, read at every use so that all
 * processes of a test agree; a missing or empty file is an offset of 0. A time in the file (ISO 8601) stops the clock there.
 */
export function createClock(offsetFile: string | null): Clock {
  if (offsetFile === null) return () => new Date()
  return () => readTime(offsetFile)
}

function readTime(file: string): Date {
  const text = readSetting(file)
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return new Date(text)
  const offset = Number(text)
  if (!Number.isFinite(offset))
    throw new Error(`the clock offset file ${file} holds neither a number of milliseconds nor a time`)
  return new Date(Date.now() + offset)
}

function readSetting(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Clocks of processes differ, and the row stored first is not always the one that read its clock first. */
export const clockSkewMs = 60_000

/**
 * Whether `intervalMs` have passed since a stored time; null is never. A time clearly ahead of `now` was written before the
 * clock was set back; nobody should wait for the clock to catch up, so it counts as long past.
 */
export function hasPassed(since: Date | null, intervalMs: number, now: Date): boolean {
  if (since === null) return true
  const elapsedMs = now.getTime() - since.getTime()
  return elapsedMs >= intervalMs || elapsedMs < -clockSkewMs
}
