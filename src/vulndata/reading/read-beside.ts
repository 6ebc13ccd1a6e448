import { RefusedData } from '../../source-files/refused-data.ts'
import { compilerOf } from './compile-document.ts'
import type { FromThread } from './messages.ts'
import { giveBackReadingThread, takeReadingThread, type ReadingThread } from './reading-threads.ts'
import type { RecordFile, RecordReading, UnreadDocument } from './record-import.ts'
import { prepare, type PreparedRecord, type RangeRows } from '../records/prepared-record.ts'
import { unpackBatch } from './sent-batch.ts'

/**
 * Reads on a separate thread: inflating, parsing and compiling take as long as the database takes to write, and block nobody there. Refuses the
 * same data as reading here. The thread starts reading when it is asked for batches, and is free for another file at the end; closing it earlier
 * ends the thread.
 */
export async function readBeside(recordFile: RecordFile): Promise<RecordReading> {
  const thread = takeReadingThread()
  let isAtEnd = false
  const close = async () => {
    if (!isAtEnd) await thread.end()
  }
  try {
    thread.tell({ kind: 'open', ...recordFile })
    const opened = await nextMessage(thread)
    if (opened.kind !== 'opened') throw new Error(`expected the file to be opened, found "${opened.kind}"`)
    const unread: UnreadDocument[] = []
    const readAgain: string[] = []
    const onEnd = (passed: PassedOver) => {
      isAtEnd = true
      unread.push(...passed.unread)
      readAgain.push(...passed.readAgain)
      return giveBackReadingThread(thread)
    }
    return {
      count: opened.count,
      unread,
      readAgain,
      batches: (known) => {
        thread.tell({ kind: 'begin', known })
        return batches(thread, { recordFile, onEnd })
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

type PassedOver = Pick<RecordReading, 'unread' | 'readAgain'>
type Taking = { recordFile: RecordFile; onEnd: (passed: PassedOver) => Promise<void> }

async function* batches(
  thread: ReadingThread,
  { recordFile, onEnd }: Taking,
): AsyncGenerator<PreparedRecord[]> {
  for (;;) {
    const message = await nextMessage(thread)
    if (message.kind === 'end') {
      await onEnd(message)
      return
    }
    if (message.kind !== 'batch') throw new Error(`expected records, found "${message.kind}"`)
    thread.tell({ kind: 'taken' })
    yield unpackBatch(message, (id, document) => compiledAgain(id, document, recordFile))
  }
}

/** Throws what the thread threw. */
async function nextMessage(thread: ReadingThread): Promise<FromThread> {
  const message = await thread.hear()
  if (message === undefined) throw new Error('the thread that reads records ended before it was done')
  if (message.kind === 'refused') throw new RefusedData(message.message)
  return message
}

function compiledAgain(id: string, document: string, { compiler }: RecordFile): RangeRows {
  const compiled = compilerOf(compiler)({ name: id, bytes: Buffer.from(document) })
  if (compiled === undefined) throw new Error(`${id} was a record and is none any more`)
  return prepare(compiled).ranges()
}
