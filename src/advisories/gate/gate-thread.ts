import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { FailedTest, FromGate, ThreadData, ToGate } from './messages.ts'

/** The entry of the thread that tests documents. Started by gate.ts. */

const port = parentPort
if (port === null) throw new Error('gate-thread.ts runs as a thread')

const { compileCache } = workerData as ThreadData
if (compileCache !== null) enableCompileCache(compileCache)

const { judgeDocument } = await import('./judge-document.ts')

type Advise = (document: unknown) => Promise<FailedTest[]>
let advise: Advise | undefined
let loading: Promise<void> | undefined

port.on('message', (asked: ToGate) => {
  void answer(asked).then((told) => {
    port.postMessage(told)
    // after the answer: nobody waits for it
    if (asked.isAdvised) loading ??= loadAdvice()
  })
})

async function loadAdvice(): Promise<void> {
  advise = (await import('./advise-on-document.ts')).adviseOnDocument
}

async function answer({ id, document, isAdvised }: ToGate): Promise<FromGate> {
  try {
    const failed = await judgeDocument(document)
    return { id, failed, advice: isAdvised ? await adviceOn(document, failed) : [] }
  } catch (error) {
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** On a document that its schema refuses other tests throw. */
async function adviceOn(document: unknown, failed: readonly FailedTest[]): Promise<FailedTest[] | null> {
  if (advise === undefined) return null
  return failed.every(({ test }) => test.startsWith('mandatoryTest_')) ? advise(document) : []
}
