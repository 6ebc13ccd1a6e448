import { provisionDestinations } from '../alerts/destinations/provision-destinations.ts'
import type { Actor } from '../workspace/audit.ts'
import type { ProvisionDocument, ProvisionWorkspace } from '../workspace/provision/document.ts'
import { provision } from '../workspace/provision/provision.ts'
import { inWords, ProvisionRefused } from '../workspace/provision/refused.ts'
import { UsageError } from './command.ts'
import type { Process } from './open-process.ts'

const actor: Actor = { kind: 'system', id: null, name: 'command line' }

/** What `provision` creates: the workspaces with everything in them, then what later rooms keep for them. */
export async function provisionAll(process: Process, input: unknown): Promise<ProvisionDocument> {
  try {
    const { workspaces } = await provision(process.db, input, process.now())
    const done: ProvisionWorkspace[] = []
    for (const workspace of workspaces) done.push(await withDestinations(process, workspace))
    return { workspaces: done }
  } catch (error) {
    throw error instanceof ProvisionRefused ? new UsageError(error.message, { cause: error }) : error
  }
}

async function withDestinations(
  { db, now, sealing, config }: Process,
  workspace: ProvisionWorkspace,
): Promise<ProvisionWorkspace> {
  const { id: workspaceId, destinations } = workspace
  if (workspaceId === undefined || destinations === undefined) return workspace
  const order = { workspaceId, actor, clock: now, sealing, hosts: config.chatHosts }
  const made = () => provisionDestinations(db, destinations, order)
  return { ...workspace, destinations: await inWords(`a destination of "${workspace.slug}"`, made) }
}
