import type { FastifyReply, FastifyRequest } from 'fastify'
import { selectPublicDisclosure } from '../../disclosure/settings/public-disclosure.ts'
import { html } from '../../html/html.ts'
import { findRedirect } from '../../workspace/redirects.ts'
import { answerError } from '../answer-error.ts'
import type { HttpDeps } from '../deps.ts'
import { sendDocsPage } from '../../docs-site/docs-frame.ts'
import { answerFor } from '../errors.ts'
import { feedRoot } from '../feed/feed-answer.ts'
import { answerFeedError } from '../feed/answer-feed-error.ts'
import { pathOf } from '../request-log.ts'
import { companyPage, rootOf } from '../../disclosure-site/company-page.ts'
import { discloseRoot, sendPage, type DisclosePage } from '../../disclosure-site/page-frame.ts'
import { chosenLanguage, wordsIn } from '../../disclosure-site/words/all.ts'

const docsRoot = '/docs/'
/** What tools ask for below the pages. */
const files = /^\/docs\/(?:assets|images)\/|\.(?:json|txt|atom)$/

/** What has moved with a workspace, and the slug in it. */
const movedPath = /^\/(?:disclose|csaf)\/([^/]+)(?:\/|$)/

/**
 * Answers an error; a person who asked for a missing page gets one that leads back to existing pages. It never throws: the framework would
 * answer with the words of what was thrown.
 */
export function answerErrorOrPage(deps: HttpDeps) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    if (answerFor(error).status !== 404) answerError(error, request, reply)
    else if (!(await isLedElsewhere(deps, request, reply)))
      return answerMissing(deps, error, { request, reply })
    return reply
  }
}

type Http = { request: FastifyRequest; reply: FastifyReply }

function answerMissing(deps: HttpDeps, error: unknown, { request, reply }: Http): unknown {
  const path = pathOf(request)
  const isPage = (request.method === 'GET' || request.method === 'HEAD') && !files.test(path)
  if (isPage && path.startsWith(docsRoot)) return reply.send(missingGuide(deps, path, reply))
  if (isPage && path.startsWith(discloseRoot)) return sendMissingPage(deps, request, reply)
  answerError(error, request, reply)
  return reply
}

/** Whether the request is answered: the workspace has moved, or that cannot be looked up. */
async function isLedElsewhere(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const path = pathOf(request)
  const [, slug] = movedPath.exec(path) ?? []
  if (slug === undefined) return false
  try {
    return await leadElsewhere(deps, { slug, request, reply })
  } catch (error) {
    const answer = path.startsWith(feedRoot) ? answerFeedError : answerError
    answer(error, request, reply)
    return true
  }
}

/**
 * Addresses of a workspace that has moved lead to the same path at its new origin, with the method and the body (RFC 9110, 15.4.9). It is not
 * cached for long: a move can be undone. Looked up only where nothing is found here.
 */
async function leadElsewhere(
  { db, now }: HttpDeps,
  { slug, request, reply }: Http & { slug: string },
): Promise<boolean> {
  const origin = await findRedirect(db, slug, now())
  if (origin === undefined) return false
  await reply
    .status(308)
    .headers({
      location: origin + request.url,
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    })
    .send()
  return true
}

function missingGuide({ serviceName }: HttpDeps, path: string, reply: FastifyReply): string {
  const content = html`<h1>Page not found</h1>
    <p>
      There is no page of the documentation at this address. Search for what you need, or begin with the
      <a href="/docs">overview</a>.
    </p>`
  const page = sendDocsPage(reply, { serviceName, title: 'Page not found', path, sections: [], content })
  reply.status(404).header('cache-control', 'no-store')
  return page
}

async function sendMissingPage(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  try {
    const page = await missingPage(deps, request)
    return await sendPage(reply.status(404), page, 'no-store')
  } catch (error) {
    answerError(error, request, reply)
    return reply
  }
}

/** In the company's name and language where there is such a company. */
async function missingPage(
  { db, now, serviceName }: HttpDeps,
  request: FastifyRequest,
): Promise<DisclosePage> {
  const [slug = '', area] = pathOf(request).slice(discloseRoot.length).split('/')
  const disclosure = await selectPublicDisclosure(db, slug, now())
  if (disclosure === undefined) {
    const { title, page } = wordsIn.en.missing
    const body = html`<h1>${title}</h1>
      <p>${page}</p>`
    return { lang: 'en', title, companyName: serviceName, links: [], body }
  }
  const language = chosenLanguage(request, disclosure.languages)
  const { title, page, advisory } = wordsIn[language].missing
  const body = html`<h1>${title}</h1>
    <p>${area === 'advisories' ? advisory : page}</p>`
  // the requested address is not repeated
  const path = rootOf(disclosure)
  return companyPage({ disclosure, language }, { title, path, body, isPrivate: true, isRefusal: true })
}
