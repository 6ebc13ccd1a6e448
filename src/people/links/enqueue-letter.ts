import type { LetterJob } from '../../contract/notices/letters.ts'
import type { Tx } from '../../database/connection.ts'
import { enqueue } from '../../queue/enqueue.ts'
import { newId } from '../../platform/random.ts'

/** Enqueues a message to an address, in the transaction of its cause. */
export async function enqueueLetter(
  tx: Tx,
  { now, ...letter }: Omit<LetterJob, 'eventId'> & { now: Date },
): Promise<void> {
  const eventId = letter.linkId ?? newId(now)
  await enqueue(tx, { kind: 'send_letter', payload: { ...letter, eventId }, runAt: now })
}
