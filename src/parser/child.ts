import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { Logger } from 'pino'
import type { Db } from '../database/connection.ts'
import type { Tables } from '../database/tables.ts'
import { createClock } from '../platform/clock.ts'
import { createPool, createQueries } from '../platform/postgres/pool.ts'
import { handedFiles, smallFileBytes } from './lanes.ts'
import { LargeLane } from './large-lane.ts'
import type { FromChild, ParserStart, TaskFile, ToChild } from './messages.ts'
import { performFile } from './perform-file.ts'
import type { TaskBounds } from './tasks.ts'

/** 0 is ordinary, 19 the least: the HTTP process goes first. */
const niceness = 10

type Lanes = { small: Db; bounds: TaskBounds; large: LargeLane }

/**
 * The parser child of an HTTP process: reads and stores uploaded files, so that no hostile body can block or end the process
 * that answers. Started by `startParser`; returns when that one is done with it or gone.
 */
export async function runParserChild(log: Logger): Promise<void> {
  lowerPriority()
  ignoreSignals()
  log.info({ pid: process.pid }, 'parser started')
  const lanes = openLanes(await firstMessage(), log)
  const done = Promise.withResolvers<undefined>()
  process.on('message', (message: ToChild) => {
    if (message.type === 'file') void readFile(lanes, message)
    if (message.type === 'stop') done.resolve(undefined)
  })
  // The HTTP process is gone: nobody is left to be answered.
  process.on('disconnect', () => done.resolve(undefined))
  say({ type: 'ready' })
  await done.promise
  await Promise.all([lanes.small.destroy(), lanes.large.close()])
  if (process.connected) process.disconnect()
}

/** It tells which store to write; files follow once the child has said that it is ready. */
async function firstMessage(): Promise<ParserStart> {
  const [message] = (await once(process, 'message')) as [ToChild]
  if (message.type !== 'start')
    throw new Error(`the parser child expected to be started, not "${message.type}"`)
  return message
}

function openLanes({ connection, clockOffsetFile, poolSize }: ParserStart, log: Logger): Lanes {
  const max = poolSize ?? handedFiles.small
  const pool = createPool(connection, { max, applicationName: 'sbom-monitor parser', log })
  return {
    small: createQueries<Tables>(pool),
    bounds: { maxFileBytes: smallFileBytes, clock: createClock(clockOffsetFile) },
    large: new LargeLane({ connection, clockOffsetFile, logLevel: log.level }),
  }
}

async function readFile({ small, bounds, large }: Lanes, file: TaskFile): Promise<void> {
  const { id } = file
  say({ type: 'begun', id })
  const answer = await (file.lane === 'small' ? performFile(small, file, bounds) : large.read(file))
  say({ type: 'answer', id, answer })
}

function say(message: FromChild): void {
  if (process.connected) process.send?.(message)
}

/**
 * Linux keeps a priority per thread, so each of them is lowered, the collector's too; later ones inherit it.
 * Elsewhere the process has one.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') {
    setPriority(niceness)
    return
  }
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), niceness)
}

/** A signal to the process group or the container is the HTTP process's to act on: it lets accepted files finish. */
function ignoreSignals(): void {
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => undefined)
}
