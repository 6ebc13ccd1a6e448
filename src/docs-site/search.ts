import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/errors.ts'
import { cachedFor } from '../platform/concurrency/cached.ts'
import { checkedUrl } from '../html/checked-url.ts'
import { attributes, html } from '../html/html.ts'
import type { Site } from './site.ts'
import { findSections } from './browser/find-sections.mjs'
import { sendDocsPage } from './docs-frame.ts'
import { guideIndex } from './guide-texts.ts'

const browserFiles = new Map(
  ['find-sections.mjs', 'search-box.mjs'].map((file) => [
    file,
    cachedFor(Infinity, () => readFile(join(import.meta.dirname, 'browser', file))),
  ]),
)

/** `GET /docs/assets/:file`: the scripts of the search box. */
export async function docsAsset(_site: Site, request: FastifyRequest, reply: FastifyReply): Promise<Buffer> {
  const { file = '' } = request.params as { file?: string }
  const read = browserFiles.get(file)
  if (read === undefined) throw new ServiceError('not_found')
  reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=300')
  return read()
}

/** `GET /docs/search.json`: what the search box looks through. */
export async function searchIndex(
  _site: Site,
  _request: FastifyRequest,
  reply: FastifyReply,
): Promise<Buffer> {
  reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300')
  return (await guideIndex()).json
}

const maxQueryCharacters = 200

/** `GET /docs/search?q=`: the same as a page, for browsers that run no script. */
export async function searchPage(
  { serviceName }: Site,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { q } = request.query as { q?: unknown }
  const query = typeof q === 'string' ? q.slice(0, maxQueryCharacters) : ''
  const { index } = await guideIndex()
  const found = findSections(index, query)
  const content = html`<h1>Search</h1>
    <p>
      ${query === '' ? 'Type what you look for into the box above.' : `${found.length} found for “${query}”.`}
    </p>
    <ul class="results">
      ${found.map(
        ({ path, page, title, excerpt }) =>
          html`<li>
            <a ${attributes({ href: checkedUrl(path) })}
              >${title === page ? page : `${page}: ${title}`}<small>${excerpt}</small></a
            >
          </li>`,
      )}
    </ul>`
  return sendDocsPage(reply, {
    serviceName,
    title: 'Search',
    path: '/docs/search',
    sections: [],
    content,
    query,
  })
}
