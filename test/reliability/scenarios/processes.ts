import { readFileSync } from 'node:fs'
import type { Service } from '../../support/service.ts'

const megabyte = 1024 * 1024

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

/** The parser child that a service has started last, from its log (level info). */
export function parserPid(service: Service): number {
  const lines = service
    .output()
    .split('\n')
    .filter((line) => line.includes('"parser started"'))
  return (JSON.parse(lines.at(-1) ?? '{}') as { pid?: number }).pid ?? 0
}
