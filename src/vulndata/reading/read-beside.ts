import { RefusedData } from '../documents/refused-data.ts'
import { compilerOf } from './compile-document.ts'
import type { FromThread, SentRecord } from './messages.ts'
import { giveBackReadingThread, takeReadingThread, type ReadingThread } from './reading-threads.ts'
import type { RecordFile, RecordReading } from '../records/record-import.ts'
import type { CompiledRecord } from '../records/compiled-record.ts'

/**
 * Reads on a thread of its own: inflating, parsing and compiling take as long as the database takes to write, and hold up nobody there. Refuses
 * as reading here does. Closing before the end ends the thread, wherever it is.
 */
export async function readBeside(order: RecordFile): Promise<RecordReading> {
  const thread = takeReadingThread()
  let isAtEnd = false
  const close = () => (isAtEnd ? giveBackReadingThread(thread) : thread.end())
  try {
    thread.tell({ kind: 'open', ...order })
    const opened = await nextMessage(thread)
    if (opened.kind !== 'opened') throw new Error(`expected the file to be opened, found "${opened.kind}"`)
    const onEnd = () => (isAtEnd = true)
    return { count: opened.count, batches: (known) => batches(thread, { known, order, onEnd }), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Taking = { known: readonly string[]; order: RecordFile; onEnd: () => void }

async function* batches(
  thread: ReadingThread,
  { known, order, onEnd }: Taking,
): AsyncGenerator<CompiledRecord[]> {
  thread.tell({ kind: 'begin', known })
  for (;;) {
    const message = await nextMessage(thread)
    if (message.kind === 'end') {
      onEnd()
      return
    }
    if (message.kind !== 'batch') throw new Error(`expected records, found "${message.kind}"`)
    thread.tell({ kind: 'taken' })
    yield message.records.map((record) => received(record, order))
  }
}

/** Throws what the thread threw. */
async function nextMessage(thread: ReadingThread): Promise<FromThread> {
  const message = await thread.hear()
  if (message === undefined) throw new Error('the thread that reads records ended before it was done')
  if (message.kind === 'refused') throw new RefusedData(message.message)
  return message
}

/** Ranges that were not sent are compiled here in the end: a file may hold a record twice, and then the stored one is not its last. */
function received({ rangeLines, ...record }: SentRecord, { compiler }: RecordFile): CompiledRecord {
  const ranges = () => {
    const document = { name: record.id, bytes: Buffer.from(record.document) }
    const compiled = compilerOf(compiler)(document)
    if (compiled === undefined) throw new Error(`${record.id} was a record and is none any more`)
    return compiled.ranges()
  }
  return rangeLines === null ? { ...record, ranges } : { ...record, ranges, rangeLines }
}
