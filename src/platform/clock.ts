import { readFileSync } from 'node:fs'

/** Product time: every business time comes from here, none from SQL `now()`. */
export type Clock = () => Date

/**
 * The product clock. With `offsetFile` (a lab seam) the file's milliseconds are added, read anew at every use,
 * so that all processes of a test agree; a missing or empty file is an offset of 0.
 */
export function createClock(offsetFile: string | null): Clock {
  if (offsetFile === null) return () => new Date()
  return () => new Date(Date.now() + readOffsetMs(offsetFile))
}

function readOffsetMs(file: string): number {
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
  const offset = Number(text)
  if (!Number.isFinite(offset))
    throw new Error(`the clock offset file ${file} holds no number of milliseconds`)
  return offset
}
