import { hash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { badgeMessage } from '../../contract/metrics/badge.ts'
import { ServiceError } from '../../contract/errors.ts'
import { selectBadgeFacts } from '../../views/badge-facts.ts'
import { findBadge } from '../../products/families/family-badge.ts'
import { effectiveState } from '../../workspace/state.ts'
import type { HttpDeps } from '../deps.ts'
import { answerOtherState } from '../exchange/answer-other-state.ts'
import { isForAnotherState, isTagKnown } from '../negotiate.ts'
import { drawBadge } from '../../disclosure-site/draw-badge.ts'
import { keptOr, type Kept } from '../../disclosure-site/kept-badges.ts'

export const badgeRoot = '/badges/'

const file = /^([A-Za-z0-9_-]{43})\.svg$/

const headers = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': "default-src 'none'",
  'cross-origin-resource-policy': 'cross-origin',
}

/**
 * The badges of families that have one switched on (docs/metrics.md, "Badge"). One indexed statement checks that each time; anything
 * else is answered like every unknown address.
 */
export function registerBadges(app: FastifyInstance, deps: HttpDeps): void {
  const { db, now } = deps
  const kept = new Map<string, Kept>()
  app.get(`${badgeRoot}:file`, { schema: { hide: true } }, async (request, reply) => {
    const [, secret] = file.exec((request.params as { file: string }).file) ?? []
    const badge = secret === undefined ? undefined : await findBadge(db, secret)
    if (badge === undefined || effectiveState(badge, now()) === 'closed') throw new ServiceError('not_found')
    const svg = await keptOr(kept, badge.familyId, () => drawn(deps, badge))
    const tag = `"${hash('sha256', svg)}"`
    reply.headers({ ...headers, etag: tag })
    if (isForAnotherState(request, { tag, time: null })) return answerOtherState(reply)
    if (isTagKnown(request, tag)) return reply.status(304).send()
    return reply.type('image/svg+xml; charset=utf-8').send(svg)
  })
}

async function drawn({ db, now }: HttpDeps, badge: Parameters<typeof selectBadgeFacts>[1]): Promise<string> {
  return drawBadge(badgeMessage(await selectBadgeFacts(db, badge, now())))
}
