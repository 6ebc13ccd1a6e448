import { provisionDestinations } from '../alerts/destinations/provision-destinations.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Actor } from '../workspace/audit.ts'
import type { ProvisionDocument, ProvisionWorkspace } from '../workspace/provision/document.ts'
import { provision } from '../workspace/provision/provision.ts'
import type { Process } from './open-process.ts'

const actor: Actor = { kind: 'system', id: null, name: 'command line' }

/** What `provision` creates: the workspaces with everything in them, then what later rooms keep for them. */
export async function provisionAll(process: Process, input: unknown): Promise<ProvisionDocument> {
  const { workspaces } = await provision(process.db, input, process.now())
  const done: ProvisionWorkspace[] = []
  for (const workspace of workspaces) done.push(await withDestinations(process, workspace))
  return { workspaces: done }
}

async function withDestinations(
  { db, now, sealing, config }: Process,
  workspace: ProvisionWorkspace,
): Promise<ProvisionWorkspace> {
  const { id: workspaceId, destinations } = workspace
  if (workspaceId === undefined || destinations === undefined) return workspace
  try {
    const order = { workspaceId, actor, clock: now, sealing, hosts: config.chatHosts }
    return { ...workspace, destinations: await provisionDestinations(db, destinations, order) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const fields = Object.entries(error.fields ?? {}).map(([field, problem]) => `  ${field}: ${problem}`)
    throw new Error([`a destination of "${workspace.slug}": ${error.message}`, ...fields].join('\n'), {
      cause: error,
    })
  }
}
