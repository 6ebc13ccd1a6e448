import { limits } from '../contract/limits.ts'

/** Each lane is a process: a file that is too much for the large one takes no small one with it. */
export type Lane = 'small' | 'large'

/** 0 is ordinary, 19 the least: the HTTP process goes first. */
export const niceness = 10

/** As it appears on the command line of the process. */
export function laneNamed(name: string | undefined): Lane {
  if (name === 'small' || name === 'large') return name
  throw new Error(`the parser child expected "small" or "large", not "${name ?? ''}"`)
}

type LaneRule = {
  /** Bounds the inflated file. */
  maxFileBytes: number
  /** Files the process holds at a time. */
  handedFiles: number
  /** Database sessions. */
  sessions: number
  /**
   * Of V8. With larger semi-spaces the small lane's old generation fragments until the collector runs without end; with these it stays
   * at a fifth of its bound, and with a first size of it it is collected half as often. The large lane reads one file at a time, and
   * needs almost all of it until it is stored: its old generation may grow to the bound before it is looked through, where V8 would do so
   * ten times a file, and larger semi-spaces save a tenth of its work. The trees of real documents of 50 MB take up to 160 MB.
   */
  heapFlags: readonly string[]
  /** What a process may keep while it has nothing to do; above, another one takes its place. */
  maxIdleMegabytes: number
  /** Whether the first process is started when a file waits for it, and not before: most services are never sent a large one. */
  isStartedByFile: boolean
}

/** Small files overlap their waits for the database; the trees of two large ones must never be in memory together. */
export const lanes: Record<Lane, LaneRule> = {
  small: {
    maxFileBytes: 4 * 1024 * 1024,
    handedFiles: 8,
    sessions: 8,
    heapFlags: ['--max-old-space-size=160', '--initial-old-space-size=32', '--max-semi-space-size=4'],
    maxIdleMegabytes: 256,
    isStartedByFile: false,
  },
  large: {
    maxFileBytes: limits.bodyDecompressedBytes,
    handedFiles: 1,
    sessions: 2,
    heapFlags: [
      '--max-old-space-size=256',
      '--max-semi-space-size=16',
      '--heap-growing-percent=2000',
      '--no-incremental-marking',
    ],
    maxIdleMegabytes: 160,
    isStartedByFile: true,
  },
}

/** RFC 1952, 2.3.1: a gzip member ends with the size of what it inflates to. */
const gzipTrailerBytes = 4

/**
 * The lane a body seems to be for, so that a large file is not sent to the small one first. Only a guess: a sender can write anything
 * there, and what is too large for the small lane is handed on.
 */
export function likelyLane(body: Uint8Array): Lane {
  if (body[0] !== 0x1f || body[1] !== 0x8b || body.length < gzipTrailerBytes) return 'small'
  const trailer = new DataView(body.buffer, body.byteOffset + body.length - gzipTrailerBytes)
  return trailer.getUint32(0, true) > lanes.small.maxFileBytes ? 'large' : 'small'
}
