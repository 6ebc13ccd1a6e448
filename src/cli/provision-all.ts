import { provisionDestinations } from '../alerts/destinations/provision-destinations.ts'
import type { Actor } from '../audit/record-acts.ts'
import type { ProvisionDocument, ProvisionWorkspace } from '../provision/document.ts'
import { provision } from '../provision/provision.ts'
import { inWords, ProvisionRefused } from '../provision/refused.ts'
import { printResult, UsageError } from './command.ts'
import type { Process } from './open-process.ts'

const actor: Actor = { kind: 'system', id: null, name: 'command line' }

/**
 * What `provision` creates: the workspaces with everything in them, then what later rooms keep for them. If it fails midway, what was made
 * before is printed all the same: a second run neither makes it again nor can show its secrets.
 */
export async function provisionAll(process: Process, input: unknown): Promise<ProvisionDocument> {
  const workspaces: ProvisionWorkspace[] = []
  let reached = 0
  try {
    await provision(process.db, input, process.now(), { made: workspaces })
    for (const workspace of workspaces) {
      reached += 1
      await addDestinations(process, workspace)
    }
    return { workspaces }
  } catch (error) {
    const made = [...workspaces.slice(0, reached), ...workspaces.slice(reached).map(withoutDestinations)]
    if (made.length > 0) printResult({ workspaces: made })
    if (!(error instanceof ProvisionRefused)) throw error
    throw new UsageError(error.message, { cause: error })
  }
}

/** Those asked for are not made yet. */
function withoutDestinations({ destinations, ...made }: ProvisionWorkspace): ProvisionWorkspace {
  return destinations === undefined ? made : { ...made, destinations: [] }
}

async function addDestinations(
  { db, now, sealing, config }: Process,
  workspace: ProvisionWorkspace,
): Promise<void> {
  const { id: workspaceId, destinations } = workspace
  if (workspaceId === undefined || destinations === undefined) return
  const made: NonNullable<ProvisionWorkspace['destinations']> = []
  workspace.destinations = made
  const provisioning = { workspaceId, actor, clock: now, sealing, hosts: config.chatHosts }
  const make = () => provisionDestinations(db, destinations, provisioning, made)
  await inWords(`a destination of "${workspace.slug}"`, make)
}
