import { on } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { FromThread, ThreadData, ToThread } from './messages.ts'

/** A thread that reads one file of records after the other. */
export type ReadingThread = {
  tell: (message: ToThread) => void
  /** undefined: it has ended. Throws what the thread threw. */
  hear: () => Promise<FromThread | undefined>
  end: () => Promise<void>
  hold: (isInUse: boolean) => void
}

/**
 * Real files need 60 MB. A hostile record is refused long before it fills the old generation. V8's default young generation would take
 * 100 MB more, and be no faster.
 */
const heapMegabytes = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 12 }
/** A mirror has hundreds of files, one after the other. */
const idleMs = 5_000

/**
 * The idle thread, kept for the next file: a new one takes half a second to start and thousands of records to reach full speed. It
 * keeps no process from ending, and ends by itself.
 */
let idle: { thread: ReadingThread; timer: NodeJS.Timeout } | undefined

export function takeReadingThread(): ReadingThread {
  const thread = takeIdle() ?? startThread()
  thread.hold(true)
  return thread
}

/** The thread waits for a file. */
export async function giveBackReadingThread(thread: ReadingThread): Promise<void> {
  if (idle !== undefined) return thread.end()
  thread.hold(false)
  const timer = setTimeout(() => void takeIdle()?.end(), idleMs).unref()
  idle = { thread, timer }
}

/** Starts a thread in advance, so that it is ready when needed. */
export async function prepareReadingThread(): Promise<void> {
  if (idle === undefined) await giveBackReadingThread(startThread())
}

function takeIdle(): ReadingThread | undefined {
  const taken = idle
  idle = undefined
  clearTimeout(taken?.timer)
  return taken?.thread
}

function startThread(): ReadingThread {
  const data: ThreadData = { compileCache: getCompileCacheDir() ?? null }
  const worker = new Worker(new URL('./reading-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: heapMegabytes,
  })
  const messages = on(worker, 'message', { close: ['exit'] }) as AsyncIterator<[FromThread], undefined>
  return {
    tell: (message) => worker.postMessage(message),
    hear: async () => (await messages.next()).value?.[0],
    end: async () => {
      await worker.terminate()
    },
    hold: (isInUse) => {
      if (isInUse) worker.ref()
      else worker.unref()
    },
  }
}
