import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a command before its program: writes at its end how much memory the process has had resident at most, and the processor time it took,
 * all its threads together.
 */
const file = process.env['BENCH_TOLD_FILE']
if (file !== undefined && isMainThread) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    writeFileSync(file, JSON.stringify({ peakKilobytes: peakKilobytes(), cpuMicroseconds: user + system }))
  })
}

/** proc(5), `/proc/self/status`: what `getrusage` tells begins with the memory of the process that has started this one. */
function peakKilobytes(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  const [, peak] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(peak)
}
