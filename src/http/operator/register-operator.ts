import type { FastifyInstance, FastifyReply } from 'fastify'
import type { HttpDeps } from '../deps.ts'
import { enter, showEnter, signOut } from './enter.ts'
import { operating, readOperatorForm } from './guard.ts'
import { retryJobsOfForm, showFailedJobs } from '../../operator/jobs-page.ts'
import { showMailPage } from '../../operator/mail-page.ts'
import type { Operating, OperatorForm } from '../../operator/operating.ts'
import { operatorRoot } from '../../operator/operator-settings.ts'
import { showOverview } from '../../operator/overview-page.ts'
import {
  changeCeilings,
  changePlanOfForm,
  liftSuspension,
  suspendWorkspace,
} from '../../operator/workspace-acts.ts'
import { showWorkspace } from '../../operator/workspace-page.ts'
import { showWorkspaces } from '../../operator/workspaces-page.ts'

/** They are no part of the API's description. */
const undescribed = { schema: { hide: true } }

type Page = (asked: Operating) => Promise<FastifyReply>
type Act = (asked: Operating, form: OperatorForm) => Promise<FastifyReply>

/**
 * The pages for operators (docs/operating.md): without script, for whoever has used a link from the command line. They show how much
 * there is and never what workspaces have stored. For everybody else none of their addresses exists.
 */
export function registerOperatorPages(app: FastifyInstance, deps: HttpDeps): void {
  const { operator: settings } = deps
  if (settings === null) return
  const get = (path: string, page: Page) =>
    app.get(`${operatorRoot}${path}`, undescribed, async (request, reply) =>
      page(await operating(deps, settings, { request, reply })),
    )
  const post = (path: string, act: Act) =>
    app.post(`${operatorRoot}${path}`, undescribed, async (request, reply) => {
      const asked = await operating(deps, settings, { request, reply })
      const wasWhole = request.raw.complete
      const form = await readOperatorForm(deps, request, asked.formToken)
      // a session that ended while the form was arriving must not use it
      return act(wasWhole ? asked : await operating(deps, settings, { request, reply }), form)
    })

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
  post('/sign-out', (asked) => signOut(deps, asked))
}
