#!/usr/bin/env node
import { setTimeout as sleep } from 'node:timers/promises'
import { exitCodes, type ExitCode } from './failure.ts'
import { run } from './run.ts'

async function main(): Promise<ExitCode> {
  try {
    return await run(process.argv.slice(2), {
      env: process.env,
      out: process.stdout,
      err: process.stderr,
      nowMs: () => performance.now(),
      sleep: (ms) => sleep(ms),
      random: () => Math.random(),
    })
  } catch (error) {
    console.error(error)
    return exitCodes.defect
  }
}

/** What was said has been handed over. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}

// whoever stops reading changes nothing of what was done: the exit code says that
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
const exitCode = await main()
await Promise.all([flushed(process.stdout), flushed(process.stderr)])
// a connection to a proxy that never answers outlives the request that was given up, and would keep the job for ever
process.exit(exitCode)
