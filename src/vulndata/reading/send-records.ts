import { on } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import { openDocuments } from '../osv/documents.ts'
import type { CompiledRecord } from '../osv/compile-record.ts'
import { RefusedData } from '../refused-data.ts'
import { rangeLinesOf } from '../store/range-lines.ts'
import { compilers } from './compile-document.ts'
import { batchesAhead, type FromThread, type SentRecord, type ToThread } from './messages.ts'
import { batchesOf, type RecordFile } from './record-reading.ts'

/** Reads a file of records and sends them, a bounded number ahead of what was taken. A refusal is sent, too; anything else is thrown. */
export async function sendRecords(port: MessagePort, { file, compiler }: RecordFile): Promise<void> {
  const send = (message: FromThread) => port.postMessage(message)
  const orders = on(port, 'message') as AsyncIterator<[ToThread]>
  try {
    const source = await openDocuments(file)
    send({ kind: 'opened', count: source.count })
    const known = await knownHashes(orders)
    let ahead = 0
    for await (const records of batchesOf(source.read(), compilers[compiler])) {
      send({ kind: 'batch', records: records.map((record) => sentRecord(record, known)) })
      ahead += 1
      // every other order says that a batch was taken
      for (; ahead >= batchesAhead; ahead -= 1) await orders.next()
    }
    await source.close()
    send({ kind: 'end' })
  } catch (error) {
    if (!(error instanceof RefusedData)) throw error
    send({ kind: 'refused', message: error.message })
  } finally {
    port.close()
  }
}

async function knownHashes(orders: AsyncIterator<[ToThread]>): Promise<ReadonlySet<string>> {
  const { value } = (await orders.next()) as { value: [ToThread] }
  const [order] = value
  if (order.kind !== 'begin') throw new Error('expected to be told to begin')
  return new Set(order.known)
}

function sentRecord(record: CompiledRecord, known: ReadonlySet<string>): SentRecord {
  const { ranges, rangeLines, ...rest } = record
  if (known.has(record.decidingHash)) return { ...rest, rangeLines: null }
  return { ...rest, rangeLines: rangeLines ?? rangeLinesOf(ranges()) }
}
