import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HttpDeps } from '../deps.ts'
import { enter, showEnter, signOut } from './enter.ts'
import { operating } from './guard.ts'
import { retryJobsOfForm, showFailedJobs } from './jobs-page.ts'
import { showMailPage } from './mail-page.ts'
import type { Operating } from './operating.ts'
import { operatorRoot } from './operator-settings.ts'
import { showOverview } from './overview-page.ts'
import { changeCeilings, changePlanOfForm, liftSuspension, suspendWorkspace } from './workspace-acts.ts'
import { showWorkspace } from './workspace-page.ts'
import { showWorkspaces } from './workspaces-page.ts'

/** They are no part of the API's description. */
const undescribed = { schema: { hide: true } }

type Handler = (asked: Operating) => Promise<FastifyReply>

/**
 * The pages for operators (docs/operating.md): without script, for whoever has used a link of the command line. They show how much there
 * is and never what workspaces have stored. To everybody else none of their addresses exists.
 */
export function registerOperatorPages(app: FastifyInstance, deps: HttpDeps): void {
  const { operator: settings } = deps
  if (settings === null) return
  const handled = (handler: Handler) => async (request: FastifyRequest, reply: FastifyReply) =>
    handler(await operating(deps, settings, { request, reply }))
  const get = (path: string, handler: Handler) =>
    app.get(`${operatorRoot}${path}`, undescribed, handled(handler))
  const post = (path: string, handler: Handler) =>
    app.post(`${operatorRoot}${path}`, undescribed, handled(handler))

  app.get(`${operatorRoot}/enter/:secret`, undescribed, (request, reply) => showEnter(deps, request, reply))
  app.post(`${operatorRoot}/enter/:secret`, undescribed, (request, reply) => enter(deps, request, reply))
  get('', showOverview)
  get('/workspaces', showWorkspaces)
  get('/workspaces/:slug', showWorkspace)
  post('/workspaces/:slug/plan', changePlanOfForm)
  post('/workspaces/:slug/suspend', suspendWorkspace)
  post('/workspaces/:slug/lift', liftSuspension)
  post('/workspaces/:slug/ceilings', changeCeilings)
  get('/jobs', showFailedJobs)
  post('/jobs/retry', retryJobsOfForm)
  get('/mail', showMailPage)
  post('/sign-out', signOut)
}
