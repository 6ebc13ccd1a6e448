import { readFileSync } from 'node:fs'
import type { Service } from '../../support/service.ts'
import { fieldOf } from '../../support/read-as.ts'

const megabyte = 1024 * 1024
/** Children are rarely replaced, and the log is long. */
const lookEveryMs = 500
/** The kernel walks all pages of a process to answer, blocking the process: sampling five times as often took a third of a core. */
const sampleEveryMs = 100

/** Current and peak resident memory of a process in MB (proc(5)); 0 where unavailable. */
export function residentMegabytes(pid: number): { now: number; peak: number } {
  const of = megabytesIn(`/proc/${pid}/status`)
  return { now: of('VmRSS'), peak: of('VmHWM') }
}

/**
 * Memory of a process in MB, shared pages counted proportionally (proc(5), "Pss"): the sum over processes counts every page once. 0 where
 * unavailable.
 */
function proportionalMegabytes(pid: number): number {
  return megabytesIn(`/proc/${pid}/smaps_rollup`)('Pss')
}

/** Sizes in a proc(5) file; each is 0 if the process or the file is missing. */
function megabytesIn(file: string): (name: string) => number {
  const text = textOf(file)
  return (name) => (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024) / megabyte
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) {
      return ''
    }
    throw error
  }
}

/** The small-file parser child last started by a service, from its log (level info). */
export function parserPid(service: Service): number {
  return lastStarted(service, 'parser started')
}

/** Returns `look`, which looks once in this time at most, and says until then what it saw last. */
export function atMostEvery<Seen>(ms: number, look: () => Seen): () => Seen {
  let last: { seen: Seen; at: number } | null = null
  return () => {
    const at = performance.now()
    if (last === null || at - last.at >= ms) last = { seen: look(), at }
    return last.seen
  }
}

/** Total memory of a service's two parser children; shared pages count once. */
export class ParserMemory {
  peakMegabytes = 0
  readonly sample: () => number

  constructor(service: Service) {
    const words = ['parser started', 'parser of large files started']
    const pids = atMostEvery(lookEveryMs, () => words.map((said) => lastStarted(service, said)))
    this.sample = atMostEvery(sampleEveryMs, () => {
      const megabytes = pids().reduce((sum, pid) => sum + proportionalMegabytes(pid), 0)
      this.peakMegabytes = Math.max(this.peakMegabytes, megabytes)
      return megabytes
    })
  }
}

function lastStarted(service: Service, words: string): number {
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes(`"${words}"`))
  return Number(fieldOf(JSON.parse(lines.at(-1) ?? '{}'), 'pid') ?? 0)
}
