import { readdirSync, readFileSync } from 'node:fs'
import type { Laboratory } from './laboratory.ts'
import { round } from './report.ts'

/** Milliseconds of processor time so far. */
export type CpuTimes = { store: number; service: number; parser: number }

const tickMs = 10

/**
 * What the store with all its sessions, the service (HTTP and worker in one process) and its parser child have used. Linux only; zeros
 * elsewhere.
 */
export async function cpuTimes({ service, sql }: Pick<Laboratory, 'service' | 'sql'>): Promise<CpuTimes> {
  const { rows } = await sql.query<{ pid: number }>('select pg_backend_pid() as pid')
  const times = { store: 0, service: 0, parser: 0 }
  if (process.platform !== 'linux') return times
  const server = statOf(rows[0]?.pid ?? 0)?.parent ?? 0
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const pid = Number(entry)
    const stat = statOf(pid)
    if (stat === undefined) continue
    if (pid === server) times.store += stat.own + stat.ended
    else if (stat.parent === server) times.store += stat.own
    else if (pid === service.pid()) times.service += stat.own
    else if (stat.parent === service.pid()) times.parser += stat.own
  }
  return times
}

/** Of each of `count` pieces of work between two looks. */
export function cpuOfEach(before: CpuTimes, after: CpuTimes, count: number): Record<string, number> {
  return {
    storeCpuMs: round((after.store - before.store) / count),
    serviceCpuMs: round((after.service - before.service) / count),
    parserCpuMs: round((after.parser - before.parser) / count),
  }
}

/** proc(5), `/proc/<pid>/stat`; undefined: the process has ended. */
export function statOf(pid: number): { parent: number; own: number; ended: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = (place: number) => Number(fields[place]) * tickMs
    return { parent: Number(fields[1]), own: ticks(11) + ticks(12), ended: ticks(13) + ticks(14) }
  } catch {
    return undefined
  }
}
