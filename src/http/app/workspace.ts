import type { FastifyRequest } from 'fastify'
import type { WorkspaceDetail } from '../../contract/app.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'
import type { HttpDeps } from '../deps.ts'
import { read, type AppOperation } from './app-operation.ts'
import { member } from './member.ts'

async function getWorkspace(deps: HttpDeps, request: FastifyRequest): Promise<WorkspaceDetail> {
  const { workspaceId, role, state } = await member(deps, request)
  const workspace = await selectWorkspace(deps.db, workspaceId)
  return {
    id: workspace.id,
    slug: workspace.slug,
    companyName: workspace.company_name,
    timeZone: workspace.time_zone,
    plan: workspace.plan,
    state,
    trialEndsAt: workspace.trial_ends_at?.toISOString() ?? null,
    role,
    baseUrl: deps.baseUrl,
  }
}

export const workspaceOperations: readonly AppOperation[] = [read('/workspaces/:slug', getWorkspace)]
