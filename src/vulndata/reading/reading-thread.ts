import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { ThreadData } from './messages.ts'

/** The entry of the thread that reads records. Started by reading-threads.ts. */

const port = parentPort
if (port === null) throw new Error('reading-thread.ts runs as a thread')

const { compileCache } = workerData as ThreadData
if (compileCache !== null) enableCompileCache(compileCache)

const { sendRecords } = await import('./send-records.ts')
await sendRecords(port)
