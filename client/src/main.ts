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

process.exitCode = await main()
