import type { Db } from '../../database/connection.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import type { Actor } from '../../audit/record-acts.ts'
import type { ProvisionWorkspace } from '../../provision/document.ts'
import { addDestination } from './add-destination.ts'
import { changeDestination } from './change-destination.ts'
import { readNewDestination } from './read-new-destination.ts'
import type { ChatHosts } from './judge-url.ts'

type Provisioned = NonNullable<ProvisionWorkspace['destinations']>[number]

type Provisioning = { workspaceId: string; actor: Actor; clock: Clock; sealing: Sealing; hosts: ChatHosts }

/**
 * Creates the destinations that a workspace does not have by name; existing ones stay as they are, apart from being on or off. Codes: those
 * of `addDestination`. `made` contains the created ones even when a later one is refused: their secrets cannot be shown again.
 */
export async function provisionDestinations(
  db: Db,
  destinations: readonly Provisioned[],
  provisioning: Provisioning,
  made: Provisioned[] = [],
): Promise<Provisioned[]> {
  for (const destination of destinations) {
    const known = await selectByName(db, provisioning.workspaceId, destination.name)
    const { id, secret } = known ?? (await add(db, destination, provisioning))
    const isEnabled = known?.enabled ?? true
    if (destination.enabled !== undefined && destination.enabled !== isEnabled) {
      const { workspaceId, actor, clock } = provisioning
      const act = { workspaceId, destinationId: id, actor, clock }
      await changeDestination(db, act, { enabled: destination.enabled })
    }
    made.push({ ...destination, id, ...(secret === undefined ? {} : { secret }) })
  }
  return made
}

function add(db: Db, destination: Provisioned, { hosts, ...provisioning }: Provisioning) {
  return addDestination(db, { ...provisioning, fields: readNewDestination(destination, hosts) })
}

async function selectByName(
  db: Db,
  workspaceId: string,
  name: string,
): Promise<{ id: string; enabled: boolean; secret?: undefined } | undefined> {
  return db
    .selectFrom('alert_destination')
    .select(['id', 'enabled'])
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', name.trim())
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}
