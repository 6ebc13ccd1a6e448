import { readFileSync } from 'node:fs'
import type { Service } from '../../support/service.ts'
import { fieldOf } from '../../support/read-as.ts'

const megabyte = 1024 * 1024
/** Children are replaced seldom, and the log is long. */
const lookEveryMs = 500
/** The system walks through all pages of a process to answer, and the process waits: five times as often took a third of a core. */
const sampleEveryMs = 100

/** Resident memory of a process in MB, now and at its highest (proc(5)); 0 where the system does not tell. */
export function residentMegabytes(pid: number): { now: number; peak: number } {
  const of = megabytesIn(`/proc/${pid}/status`)
  return { now: of('VmRSS'), peak: of('VmHWM') }
}

/**
 * Memory of a process in MB, of pages that several processes map its part of them (proc(5), "Pss"): the sum over processes counts every
 * page once. 0 where the system does not tell.
 */
function proportionalMegabytes(pid: number): number {
  return megabytesIn(`/proc/${pid}/smaps_rollup`)('Pss')
}

/** The sizes that a file of proc(5) names; each is 0 where the process or the file is not there. */
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

/** The parser child for small files that a service has started last, from its log (level info). */
export function parserPid(service: Service): number {
  return lastStarted(service, 'parser started')
}

/** What both parser children of a service hold together; pages that they share with each other are counted once. */
export class ParserMemory {
  peakMegabytes = 0
  readonly #service: Service
  #pids: number[] = []
  #lookedAt = -lookEveryMs
  #sampledAt = -sampleEveryMs
  #megabytes = 0

  constructor(service: Service) {
    this.#service = service
  }

  sample(): number {
    const now = performance.now()
    if (now - this.#sampledAt < sampleEveryMs) return this.#megabytes
    this.#sampledAt = now
    if (now - this.#lookedAt >= lookEveryMs) {
      this.#lookedAt = now
      const words = ['parser started', 'parser of large files started']
      this.#pids = words.map((said) => lastStarted(this.#service, said))
    }
    this.#megabytes = this.#pids.reduce((sum, pid) => sum + proportionalMegabytes(pid), 0)
    this.peakMegabytes = Math.max(this.peakMegabytes, this.#megabytes)
    return this.#megabytes
  }
}

function lastStarted(service: Service, words: string): number {
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes(`"${words}"`))
  return Number(fieldOf(JSON.parse(lines.at(-1) ?? '{}'), 'pid') ?? 0)
}
