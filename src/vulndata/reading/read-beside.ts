import { on } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { CompiledRecord } from '../osv/compile-record.ts'
import { RefusedData } from '../refused-data.ts'
import { compilers } from './compile-document.ts'
import type { FromThread, SentRecord, ThreadData, ToThread } from './messages.ts'
import type { RecordFile, RecordReading } from './record-reading.ts'

/** Real files need 150 MB. A hostile record is refused long before it fills this. */
const heapMegabytes = { maxOldGenerationSizeMb: 1_024 }

/**
 * Reads on a thread of its own: inflating, parsing and compiling take as long as the store takes to write, and hold up nobody there. Refuses
 * as reading here does. Closing ends the thread, wherever it is.
 */
export async function readBeside(order: RecordFile): Promise<RecordReading> {
  const data: ThreadData = { ...order, compileCache: getCompileCacheDir() ?? null }
  const thread = new Worker(new URL('./reading-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: heapMegabytes,
  })
  const messages = on(thread, 'message', { close: ['exit'] }) as AsyncIterator<[FromThread], undefined>
  const close = async () => {
    await thread.terminate()
  }
  try {
    const opened = await nextMessage(messages)
    if (opened.kind !== 'opened') throw new Error(`expected the file to be opened, found "${opened.kind}"`)
    return { count: opened.count, batches: (known) => batches(thread, { messages, known, order }), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Taking = {
  messages: AsyncIterator<[FromThread], undefined>
  known: readonly string[]
  order: RecordFile
}

async function* batches(
  thread: Worker,
  { messages, known, order }: Taking,
): AsyncGenerator<CompiledRecord[]> {
  const tell = (message: ToThread) => thread.postMessage(message)
  tell({ kind: 'begin', known })
  for (;;) {
    const message = await nextMessage(messages)
    if (message.kind === 'end') return
    if (message.kind !== 'batch') throw new Error(`expected records, found "${message.kind}"`)
    tell({ kind: 'taken' })
    yield message.records.map((record) => received(record, order))
  }
}

/** Throws what the thread threw. */
async function nextMessage(messages: AsyncIterator<[FromThread], undefined>): Promise<FromThread> {
  const next = await messages.next()
  if (next.done === true) throw new Error('the thread that reads records ended before it was done')
  const [message] = next.value
  if (message.kind === 'refused') throw new RefusedData(message.message)
  return message
}

/** Ranges that were not sent are compiled here in the end: a file may hold a record twice, and then the stored one is not its last. */
function received({ rangeLines, ...record }: SentRecord, { compiler }: RecordFile): CompiledRecord {
  const ranges = () => {
    const document = { name: record.id, bytes: Buffer.from(record.document) }
    const compiled = compilers[compiler](document)
    if (compiled === undefined) throw new Error(`${record.id} was a record and is none any more`)
    return compiled.ranges()
  }
  return rangeLines === null ? { ...record, ranges } : { ...record, ranges, rangeLines }
}
