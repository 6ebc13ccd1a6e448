import * as contract from '../../../contract/operations/company/closing.ts'
import {
  closeWorkspace,
  closingOf,
  deleteWorkspace,
  reopenWorkspace,
} from '../../../workspace/closing/close-workspace.ts'
import { exportWorkspace } from '../../../views/workspace-export/export-workspace.ts'
import { noteExport } from '../../../workspace/audit-trail/note-export.ts'
import { confirmPassword } from '../../../workspace/people/fresh.ts'
import { clientAddress } from '../../client-address.ts'
import { routesOf, type Asked } from '../routing/handle.ts'
import { signedInPerson } from '../routing/member.ts'
import { ExportTurns } from './export-turns.ts'

const turns = new ExportTurns()

type Confirmed = Asked<typeof contract.closeWorkspace>

/** Codes: `invalid_request` (password), `rate_limited`. */
async function confirm({ deps, request, now, body: { password } }: Confirmed): Promise<void> {
  const person = await signedInPerson(deps, request, now)
  const act = { person, address: clientAddress(request), requestId: request.id, now }
  await confirmPassword(deps, { ...act, field: 'password', password })
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

  exportWorkspace: async ({ workspaceId, workspace, actor, now, deps: { db, sealing } }) => {
    const endTurn = turns.take(workspaceId)
    try {
      const object = { kind: 'workspace', id: workspaceId, name: workspace.company_name } as const
      await noteExport(db, { workspaceId, actor, now, object, action: 'workspace.exported', asked: {} })
      const content = exportWorkspace({ db, sealing, workspaceId, by: actor.name, now })
      content.once('close', endTurn)
      const fileName = `${workspace.slug}-export-${now.toISOString().slice(0, 10)}.tar.gz`
      return { fileName, content, type: 'application/gzip' }
    } catch (error) {
      endTurn()
      throw error
    }
  },
})
