import { sendTest } from '../alerts/deliveries/send-test.ts'
import { addDestination } from '../alerts/destinations/add-destination.ts'
import type { DestinationFields } from '../alerts/destinations/read-new-destination.ts'
import { alertTypes } from '../contract/alerts/shapes.ts'
import { withinMs } from '../platform/concurrency/cached.ts'
import type { DemoReceiver } from './demo-receiver.ts'
import type { Process } from './open-process.ts'
import { formatTable } from './table.ts'

const waitMs = 60_000

/** A webhook of the workspace gets a test, and checks its signature as a customer's system would. */
export async function printAlert({ db, now, sealing }: Process, receiver: DemoReceiver): Promise<void> {
  const { id: workspaceId } = await db.selectFrom('workspace').select('id').executeTakeFirstOrThrow()
  const act = { workspaceId, actor: { kind: 'system', id: null, name: 'demo' }, clock: now } as const
  const fields: DestinationFields = {
    kind: 'webhook',
    name: 'Receiver of the demo',
    url: receiver.url,
    host: new URL(receiver.url).hostname,
    events: [...alertTypes],
  }
  const { id: destinationId, secret } = await addDestination(db, { ...act, fields, sealing })
  receiver.setSecret(secret ?? '')
  const arriving = receiver.next()
  await sendTest(db, { ...act, destinationId })
  const { id, type, isGenuine } = await withinMs(
    waitMs,
    arriving,
    'the test alert did not arrive within a minute',
  )
  if (!isGenuine) throw new Error('the signature of the test alert is wrong')
  process.stdout.write(
    `\n${formatTable(['Alert', 'Id', 'Receiver', 'Signature'], [[type, id, receiver.url, 'verified']])}\n`,
  )
}
