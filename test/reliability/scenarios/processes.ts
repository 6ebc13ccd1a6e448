import { readFileSync } from 'node:fs'
import type { Service } from '../../support/service.ts'

const megabyte = 1024 * 1024
/** Children are replaced seldom, and the log is long. */
const lookEveryMs = 500

/** Resident memory of a process in MB, now and at its highest (proc(5)); 0 where the system does not tell. */
export function residentMegabytes(pid: number): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const of = (name: string) =>
      (Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1024) / megabyte
    return { now: of('VmRSS'), peak: of('VmHWM') }
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) {
      return { now: 0, peak: 0 }
    }
    throw error
  }
}

/** The parser child for small files that a service has started last, from its log (level info). */
export function parserPid(service: Service): number {
  return lastStarted(service, 'parser started')
}

/** What both parser children of a service hold together; pages that they share are counted twice. */
export class ParserMemory {
  peakMegabytes = 0
  readonly #service: Service
  #pids: number[] = []
  #lookedAt = -lookEveryMs

  constructor(service: Service) {
    this.#service = service
  }

  sample(): number {
    if (performance.now() - this.#lookedAt >= lookEveryMs) {
      this.#lookedAt = performance.now()
      const words = ['parser started', 'parser of large files started']
      this.#pids = words.map((said) => lastStarted(this.#service, said))
    }
    const megabytes = this.#pids.reduce((sum, pid) => sum + residentMegabytes(pid).now, 0)
    this.peakMegabytes = Math.max(this.peakMegabytes, megabytes)
    return megabytes
  }
}

function lastStarted(service: Service, words: string): number {
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes(`"${words}"`))
  return (JSON.parse(lines.at(-1) ?? '{}') as { pid?: number }).pid ?? 0
}
