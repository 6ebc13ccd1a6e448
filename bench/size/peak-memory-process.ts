import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/** Loaded into a command before its program: says at its end how much memory the process has had resident at most, all its threads together. */
const file = process.env['BENCH_PEAK_FILE']
if (file !== undefined && isMainThread) {
  process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS)))
}
