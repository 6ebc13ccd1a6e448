import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { FailedTest, FromGate, Judgement, ThreadData, ToGate } from './messages.ts'

/** Its modules take 100 MB, and half a second to load: the thread ends after a while without documents. */
const idleMs = 120_000
const heap = { maxOldGenerationSizeMb: 512 }

type Waiting = { resolve: (judged: Judgement) => void; reject: (error: Error) => void }
type Thread = {
  worker: Worker
  waiting: Map<number, Waiting>
  idle: NodeJS.Timeout
  /** Settles when its modules are there. */
  loaded?: Promise<unknown>
}

let thread: Thread | undefined
let lastId = 0

/** The tests of CSAF 2.0 that a document fails; they run on a thread, which keeps no process from ending. */
export async function failedTests(document: object): Promise<FailedTest[]> {
  return (await judged(document, false)).failed
}

/** The same, with what the optional and informative tests suggest. */
export async function judgeWithAdvice(document: object): Promise<Judgement> {
  return judged(document, true)
}

async function judged(document: object, isAdvised: boolean): Promise<Judgement> {
  thread ??= startThread()
  const { worker, waiting, idle } = thread
  lastId += 1
  const asked: ToGate = { id: lastId, document, isAdvised }
  const { promise, resolve, reject } = Promise.withResolvers<Judgement>()
  waiting.set(asked.id, { resolve, reject })
  worker.ref()
  idle.refresh()
  worker.postMessage(asked)
  return promise
}

/** Loads the tests, so that nobody waits for them with locks. */
export async function prepareGate(): Promise<void> {
  thread ??= startThread()
  // all who come while they load wait here, none of them with a lock
  await (thread.loaded ??= failedTests({}))
}

function startThread(): Thread {
  const workerData: ThreadData = { compileCache: getCompileCacheDir() ?? null }
  const worker = new Worker(new URL('./gate-thread.ts', import.meta.url), {
    workerData,
    resourceLimits: heap,
  })
  const waiting = new Map<number, Waiting>()
  const end = (error: Error) => {
    if (thread?.worker === worker) thread = undefined
    clearTimeout(idle)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
    void worker.terminate()
  }
  const idle = setTimeout(() => end(new Error('a document took too long to be tested')), idleMs)
  idle.unref()
  worker.on('message', (told: FromGate) => {
    const asked = waiting.get(told.id)
    waiting.delete(told.id)
    if (waiting.size === 0) worker.unref()
    if ('error' in told) asked?.reject(new Error('a document could not be tested', { cause: told.error }))
    else asked?.resolve(told)
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Error('the thread that tests documents has ended')))
  return { worker, waiting, idle }
}
