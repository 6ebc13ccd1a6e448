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

/** Resolves when all output has been written. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}

// a closed output changes nothing about what was done: the exit code says it
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
const exitCode = await main()
await Promise.all([flushed(process.stdout), flushed(process.stderr)])
// a connection to a proxy that never answers outlives the aborted request, and would keep the job running for ever
process.exit(exitCode)
