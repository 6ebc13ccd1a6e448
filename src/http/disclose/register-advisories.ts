import { hash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  findPublicAdvisory,
  listPublicAdvisories,
  type PublicAdvisory,
} from '../../advisories/feed/public-advisories.ts'
import { feedAddress, type Publisher } from '../../advisories/feed/publisher.ts'
import { selectFeedStates } from '../../advisories/feed/feed-state.ts'
import { ServiceError } from '../../contract/errors.ts'
import { selectDisclosureOf } from '../../disclosure/settings/public-disclosure.ts'
import { checkedUrl } from '../../html/checked-url.ts'
import { attributes, html } from '../../html/html.ts'
import type { HttpDeps } from '../deps.ts'
import { answerOtherState } from '../exchange/answer-other-state.ts'
import { isForAnotherState, isTagKnown, isUnmodifiedSince } from '../negotiate.ts'
import { atomFeed } from '../../disclosure-site/advisories-atom.ts'
import { advisoriesPage } from '../../disclosure-site/advisories-page.ts'
import { companyLinks, rootOf } from '../../disclosure-site/company-page.ts'
import { discloseRoot, sendPage, type PageLink } from '../../disclosure-site/page-frame.ts'
import { AdvisoryBodies } from './advisory-bodies.ts'

const undescribed = { schema: { hide: true } }
const cacheControl = 'public, max-age=300'

/**
 * The public pages of TLP:WHITE advisories, in whatever state the workspace is: list, one page each, and an Atom feed (docs/public-api.md,
 * "Public CSAF feed").
 */
export function registerAdvisoryPages(app: FastifyInstance, deps: HttpDeps): void {
  const kept = new AdvisoryBodies(deps.db)
  app.get(`${discloseRoot}:slug/advisories`, undescribed, async (request, reply) => {
    return sendList(deps, await publisher(deps, request), request, reply)
  })
  app.get(`${discloseRoot}:slug/advisories.atom`, undescribed, async (request, reply) => {
    const owner = await publisher(deps, request)
    const { workspaceId } = owner
    // readers of an Atom feed want what is new: the first page
    const { rows } = await listPublicAdvisories(deps.db, { workspaceId })
    const atom = atomFeed(owner, rows, deps.baseUrl)
    const tag = `"${hash('sha256', atom)}"`
    const newest = rows[0]?.releasedAt
    reply.headers({
      'cache-control': cacheControl,
      'content-security-policy': "default-src 'none'",
      etag: tag,
    })
    if (newest !== undefined) reply.header('last-modified', newest.toUTCString())
    if (isForAnotherState(request, { tag, time: newest ?? null })) return answerOtherState(reply)
    const isKnown =
      request.headers['if-none-match'] === undefined
        ? newest !== undefined && isDated(owner, rows) && isUnmodifiedSince(request, newest)
        : isTagKnown(request, tag)
    if (isKnown) return reply.status(304).send()
    return reply.type('application/atom+xml; charset=utf-8').send(atom)
  })
  app.get(`${discloseRoot}:slug/advisories/:trackingId`, undescribed, async (request, reply) => {
    return sendAdvisory({ ...deps, kept }, await publisher(deps, request), request, reply)
  })
}

/** Whether the time of the last publication tells which feed a reader has: not of two in the same second, nor once the company has another name. */
function isDated({ companyName }: Publisher, [newest, second]: readonly PublicAdvisory[]): boolean {
  return (
    newest?.publisherName === companyName &&
    !newest.isAmbiguous &&
    newest.releasedAt.toUTCString() !== second?.releasedAt.toUTCString()
  )
}

/** Codes: `not_found`. */
async function publisher({ db }: HttpDeps, request: FastifyRequest): Promise<Publisher> {
  const { slug = '' } = request.params as { slug?: string }
  const state = (await selectFeedStates(db, [slug])).get(slug)
  if (state === undefined) throw new ServiceError('not_found')
  return state.publisher
}

async function sendList(
  deps: HttpDeps,
  { workspaceId, slug, companyName }: Publisher,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, baseUrl } = deps
  const { before } = request.query as { before?: string | string[] }
  const cursor = before === undefined ? undefined : [before].flat().join(' ')
  const { rows, nextCursor } = await listPublicAdvisories(db, { workspaceId, cursor }).catch(noSuchPage)
  const isFirst = cursor === undefined
  const { title, head, body } = advisoriesPage({ slug, baseUrl, rows, isFirst, nextCursor })
  return sendPage(
    reply,
    { lang: 'en', title, companyName, links: await links(deps, slug, 'advisories'), head, body },
    cacheControl,
  )
}

async function sendAdvisory(
  deps: HttpDeps & { kept: AdvisoryBodies },
  { workspaceId, slug, companyName }: Publisher,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, baseUrl } = deps
  const { trackingId = '' } = request.params as { trackingId?: string }
  const advisory = await findPublicAdvisory(db, workspaceId, trackingId)
  if (advisory === undefined) throw new ServiceError('not_found')
  const { path, fileName, sha256, sha512, title } = advisory
  const url = `${feedAddress(slug, baseUrl)}/white/${path}`
  const head = html`<link
    ${attributes({ rel: 'alternate', type: 'application/json', href: checkedUrl(url) })}
  />`
  const served = { url, fileName, sha256, sha512 }
  const body = await deps.kept.find({ workspaceId, trackingId, served })
  if (body === undefined) throw new ServiceError('not_found')
  return sendPage(
    reply,
    { lang: 'en', title, companyName, links: await links(deps, slug, 'advisory'), head, body },
    cacheControl,
  )
}

/** Advisories are in English, and so are the links from them. */
async function links(
  { db, now }: HttpDeps,
  slug: string,
  current: 'advisories' | 'advisory',
): Promise<PageLink[]> {
  const disclosure = await selectDisclosureOf(db, slug, now())
  return companyLinks({ disclosure, language: 'en' }, `${rootOf(disclosure)}/${current}`)
}

/** A place that somebody made up is an address without a page. Codes: `not_found`. */
function noSuchPage(error: unknown): never {
  if (error instanceof ServiceError && error.code === 'invalid_request') throw new ServiceError('not_found')
  throw error
}
