import { on } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import { openDocuments } from '../../source-files/documents.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import { compilerOf } from './compile-document.ts'
import { batchesAhead, type FromThread, type ToThread } from './messages.ts'
import type { RecordFile } from './record-import.ts'
import { BatchPacker } from './batch-packer.ts'
import { recordsOf } from './record-reading.ts'

type Orders = AsyncIterator<[ToThread]>

/** Reads files of records one after the other on request. It sends a refusal as its last message; anything else is thrown. */
export async function sendRecords(port: MessagePort): Promise<void> {
  const send: Send = (message, moved = []) => port.postMessage(message, moved)
  const orders = on(port, 'message') as Orders
  try {
    for (;;) await sendFile(await nextOrder(orders, 'open'), { orders, send })
  } catch (error) {
    if (!(error instanceof RefusedData)) throw error
    send({ kind: 'refused', message: error.message })
  } finally {
    port.close()
  }
}

type Send = (message: FromThread, moved?: ArrayBuffer[]) => void
type Correspondence = { orders: Orders; send: Send }

/** A bounded number of batches ahead of what was taken. */
async function sendFile({ file, compiler }: RecordFile, { orders, send }: Correspondence): Promise<void> {
  const source = await openDocuments(file)
  send({ kind: 'opened', count: source.count })
  const packer = new BatchPacker((await nextOrder(orders, 'begin')).known)
  let ahead = 0
  const sendPacked = async () => {
    const batch = packer.take()
    send({ kind: 'batch', ...batch }, [batch.bytes])
    ahead += 1
    for (; ahead >= batchesAhead; ahead -= 1) await nextOrder(orders, 'taken')
  }
  for await (const record of recordsOf(source.read(), compilerOf(compiler))) {
    packer.add(record)
    if (packer.isFull) await sendPacked()
  }
  if (!packer.isEmpty) await sendPacked()
  await source.close()
  for (; ahead > 0; ahead -= 1) await nextOrder(orders, 'taken')
  send({ kind: 'end' })
}

type Order<K extends ToThread['kind']> = Extract<ToThread, { kind: K }>

async function nextOrder<K extends ToThread['kind']>(orders: Orders, kind: K): Promise<Order<K>> {
  const { value } = (await orders.next()) as { value: [ToThread] }
  const [order] = value
  if (order.kind !== kind) throw new Error(`expected the order "${kind}", found "${order.kind}"`)
  return order as Order<K>
}
