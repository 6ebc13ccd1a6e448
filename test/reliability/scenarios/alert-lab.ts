import type { AlertType } from '../../../src/contract/alerts/shapes.ts'
import type { Db } from '../../../src/database/connection.ts'
import { openAlertScene, type AlertScene } from '../../alerts/alert-scene.ts'
import { startReceiverLab, type Receiver, type ReceiverLab } from '../../support/receivers.ts'

/** Two workspaces with receivers for their alerts, closed after the scenario. */
export async function withAlertLab<Result>(
  db: Db,
  run: (scene: AlertScene, lab: ReceiverLab) => Promise<Result>,
): Promise<Result> {
  const scene = await openAlertScene(db)
  const lab = await startReceiverLab()
  try {
    return await run(scene, lab)
  } finally {
    lab.close()
  }
}

type Order = {
  /** Their hosts are `name-0.test`, `name-1.test`, … */
  name: string
  count: number
  /** Default: the scene's first workspace. */
  workspaceId?: string
  events?: AlertType[]
  answering?: Parameters<ReceiverLab['receive']>[1]
}

/** So many receivers, each the destination of one workspace. */
export async function openReceivers(
  scene: AlertScene,
  lab: ReceiverLab,
  { name, count, answering, workspaceId = scene.acme.id, ...stored }: Order,
): Promise<Receiver[]> {
  const receivers: Receiver[] = []
  for (let host = 0; host < count; host += 1) {
    const receiver = await lab.receive(`${name}-${host}.test`, answering)
    receivers.push(receiver)
    await scene.store(workspaceId, { url: receiver.url, ...stored })
  }
  return receivers
}
