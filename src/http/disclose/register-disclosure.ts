import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import { newStamp } from '../../disclosure/form/stamp.ts'
import { listAcknowledgments } from '../../disclosure/inbox/credit.ts'
import { listOfferedFamilies, selectPublicDisclosure } from '../../disclosure/settings/public-disclosure.ts'
import { securityTxt } from '../../disclosure/settings/security-txt.ts'
import type { HttpDeps } from '../deps.ts'
import { announcedFeed } from '../../disclosure-site/announced-feed.ts'
import { inPublicShare } from '../exchange/public-share.ts'
import { answerPage } from './answer-page.ts'
import { acknowledgmentsPage } from '../../disclosure-site/other-pages.ts'
import { discloseRoot, sendPage } from '../../disclosure-site/page-frame.ts'
import { policyPage } from '../../disclosure-site/policy-page.ts'
import { sendReport, usableRing, type Asked } from './send-report.ts'
import { answerReporter, showStatus } from './status-routes.ts'
import { chosenLanguage } from '../../disclosure-site/words/all.ts'

/** They are for people: no part of the API's description. */
const undescribed = { schema: { hide: true } }
const sharedCache = 'public, max-age=300'

type Handler = (asked: Asked) => Promise<FastifyReply>

/**
 * The public pages of disclosure below `/disclose/<slug>` (docs/disclosure.md): in the company's name, without account and without
 * script. A closed workspace has none of them but its acknowledgments.
 */
export function registerDisclosure(app: FastifyInstance, deps: HttpDeps): void {
  const root = `${discloseRoot}:slug`
  const handled = (handler: Handler) => async (request: FastifyRequest, reply: FastifyReply) => {
    const find = () => askedOf(deps, request, reply)
    const asked = await (request.method === 'POST' ? inPublicShare({ deps, request }, find) : find())
    if (asked.shown.disclosure.isClosed) throw new ServiceError('not_found')
    return handler(asked)
  }
  app.get(root, undescribed, handled(showPolicy))
  app.post(root, undescribed, handled(sendReport))
  app.get(`${root}/reports/:token`, undescribed, handled(showStatus))
  app.post(`${root}/reports/:token`, undescribed, handled(answerReporter))
  app.get(`${root}/security.txt`, undescribed, handled(showSecurityTxt))
  app.get(`${root}/.well-known/security.txt`, undescribed, handled(showSecurityTxt))
  // thanks were published and stay
  app.get(`${root}/acknowledgments`, undescribed, async (request, reply) =>
    showAcknowledgments(await askedOf(deps, request, reply)),
  )
}

/** Codes: `not_found` (no such workspace). */
async function askedOf(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<Asked> {
  const { slug = '' } = request.params as { slug?: string }
  const disclosure = await selectPublicDisclosure(deps.db, slug, deps.now())
  if (disclosure === undefined) throw new ServiceError('not_found')
  const language = chosenLanguage(request, disclosure.languages)
  return { deps, request, reply, shown: { disclosure, language } }
}

/** Each form has a stamp of its own, so the page must not be shared. */
async function showPolicy(asked: Asked): Promise<FastifyReply> {
  const { deps, shown } = asked
  const { workspaceId } = shown.disclosure
  const ring = await usableRing(deps)
  const page = policyPage(shown, {
    sendsMail: deps.sendsMail,
    stamp: ring === null ? null : newStamp(ring, { workspaceId, kind: 'report' }, deps.now()),
    families: await listOfferedFamilies(deps.db, workspaceId),
    typed: new Map(),
    problems: new Map(),
    trouble: null,
  })
  return answerPage(asked, page)
}

async function showAcknowledgments({ deps, reply, shown }: Asked): Promise<FastifyReply> {
  const thanked = await listAcknowledgments(deps.db, shown.disclosure.workspaceId)
  reply.header('vary', 'Accept-Language')
  return sendPage(reply, acknowledgmentsPage(shown, thanked), sharedCache)
}

async function showSecurityTxt({ deps, reply, shown }: Asked): Promise<FastifyReply> {
  const { db, baseUrl, now } = deps
  const { disclosure } = shown
  const feedUrl = await announcedFeed(db, disclosure, baseUrl)
  return reply
    .headers({ 'cache-control': sharedCache, 'x-content-type-options': 'nosniff' })
    .type('text/plain; charset=utf-8')
    .send(securityTxt({ disclosure, baseUrl, now: now(), feedUrl }))
}
