import { on } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import { openDocuments } from '../../source-files/documents.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import { compilerOf } from './compile-document.ts'
import { batchesAhead, type FromThread, type ToThread } from './messages.ts'
import type { RecordFile } from './record-import.ts'
import { BatchPacker } from './batch-packer.ts'
import { PassedOver, recordsOf } from './record-reading.ts'

type Messages = AsyncIterator<[ToThread]>

/** Reads files of records one after the other on request. It sends a refusal as its last message; anything else is thrown. */
export async function sendRecords(port: MessagePort): Promise<void> {
  const send: Send = (message, moved = []) => port.postMessage(message, moved)
  const messages = on(port, 'message') as Messages
  try {
    for (;;) await sendFile(await nextMessage(messages, 'open'), { messages, send })
  } catch (error) {
    if (!(error instanceof RefusedData)) throw error
    send({ kind: 'refused', message: error.message })
  } finally {
    port.close()
  }
}

type Send = (message: FromThread, moved?: ArrayBuffer[]) => void
type Correspondence = { messages: Messages; send: Send }

/** A bounded number of batches ahead of what was taken. */
async function sendFile(
  { file, compiler, ...passing }: RecordFile,
  { messages, send }: Correspondence,
): Promise<void> {
  const source = await openDocuments(file)
  send({ kind: 'opened', count: source.count })
  const packer = new BatchPacker((await nextMessage(messages, 'begin')).known)
  let ahead = 0
  const sendPacked = async () => {
    const batch = packer.take()
    send({ kind: 'batch', ...batch }, [batch.bytes])
    ahead += 1
    for (; ahead >= batchesAhead; ahead -= 1) await nextMessage(messages, 'taken')
  }
  const passed = new PassedOver(passing)
  const read = passed.noting(compilerOf(compiler))
  for await (const record of recordsOf(source.read(), read)) {
    packer.add(record)
    if (packer.isFull) await sendPacked()
  }
  if (!packer.isEmpty) await sendPacked()
  await source.close()
  for (; ahead > 0; ahead -= 1) await nextMessage(messages, 'taken')
  send({ kind: 'end', unread: passed.unread, readAgain: passed.readAgain })
}

type Message<K extends ToThread['kind']> = Extract<ToThread, { kind: K }>

async function nextMessage<K extends ToThread['kind']>(messages: Messages, kind: K): Promise<Message<K>> {
  const { value } = (await messages.next()) as { value: [ToThread] }
  const [received] = value
  if (received.kind !== kind) throw new Error(`expected the message "${kind}", found "${received.kind}"`)
  return received as Message<K>
}
