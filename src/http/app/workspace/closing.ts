import * as contract from '../../../contract/workspace/closing-operations.ts'
import {
  closeWorkspace,
  closingOf,
  deleteWorkspace,
  reopenWorkspace,
} from '../../../workspace/closing/close-workspace.ts'
import { exportWorkspace } from '../../../views/workspace-export/export-workspace.ts'
import { selectEvents } from '../../../audit/reads/select-events.ts'
import { noteExport } from '../../../audit/note-export.ts'
import { confirmPassword } from '../../../people/fresh.ts'
import { clientAddress } from '../../client-address.ts'
import { routesOf, type Asked } from '../routing/handle.ts'
import { signedInPerson } from '../routing/member.ts'
import { beginExport, reportLeft, takeArchivePlace } from '../exports/export-share.ts'

type Confirmed = Asked<typeof contract.closeWorkspace>

/** Codes: `invalid_request` (password), `rate_limited`. */
async function confirm({ deps, request, now, body: { password } }: Confirmed): Promise<void> {
  const person = await signedInPerson(deps, request, now)
  const act = { person, address: clientAddress(request), requestId: request.id, now }
  await confirmPassword(deps, { ...act, password })
}

export const closingRoutes = routesOf(contract, {
  getClosing: ({ workspace }) => Promise.resolve(closingOf(workspace)),

  closeWorkspace: async (asked) => {
    const { workspaceId, actor, now, deps, body } = asked
    await confirm(asked)
    await closeWorkspace(deps.db, { workspaceId, actor, now, confirmName: body.confirmName })
  },

  reopenWorkspace: ({ workspaceId, actor, now, deps }) =>
    reopenWorkspace(deps.db, { workspaceId, actor, now }),

  deleteWorkspace: async (asked) => {
    const { workspaceId, actor, now, deps, body } = asked
    await confirm(asked)
    await deleteWorkspace(deps.db, { workspaceId, actor, now, confirmName: body.confirmName })
  },

  exportWorkspace: async (asked) => {
    const { workspaceId, workspace, actor, now, deps } = asked
    await using held = new AsyncDisposableStack()
    const tx = await beginExport(asked, held, async (tx) => {
      await takeArchivePlace(tx, workspaceId)
      return tx
    })
    const object = { kind: 'workspace', id: workspaceId, name: workspace.company_name } as const
    const record = { workspaceId, actor, now, object, action: 'workspace.exported', asked: {} } as const
    const recordId = await noteExport(deps.db, record)
    const scope = { workspaceId, timeZone: workspace.time_zone, event: String(recordId) }
    const own = await selectEvents(deps.db, { ...scope, after: undefined, rows: 1 })
    const { sealing, originals, switchedOff } = deps
    const content = exportWorkspace(
      { tx, sealing, originals, switchedOff, workspace, own, by: actor.name, now },
      { held: held.move(), onFailure: reportLeft(deps) },
    )
    const fileName = `${workspace.slug}-export-${now.toISOString().slice(0, 10)}.tar.gz`
    return { fileName, content, type: 'application/gzip' }
  },
})
