import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { FromGate, ThreadData, ToGate } from './messages.ts'

/** The entry of the thread that tests documents. Started by gate.ts. */

const port = parentPort
if (port === null) throw new Error('gate-thread.ts runs as a thread')

const { compileCache } = workerData as ThreadData
if (compileCache !== null) enableCompileCache(compileCache)

const { judgeDocument } = await import('./judge-document.ts')

port.on('message', (asked: ToGate) => {
  void answer(asked).then((told) => port.postMessage(told))
})

async function answer({ id, document }: ToGate): Promise<FromGate> {
  try {
    return { id, failed: await judgeDocument(document) }
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
