import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { checkedUrl } from '../html/checked-url.ts'
import { attributes, html, styleElement, type Html, type Part } from '../html/html.ts'
import { docsStyle } from './docs-style.ts'
import { guides, guidesByTask } from './guide-list.ts'

/** A page below /docs. */
export type DocsPage = {
  serviceName: string
  title: string
  /** Its path. */
  path: string
  /** The sections that the page's own list of contents leads to. */
  sections: readonly { id: string; title: string }[]
  content: Part
  /** What was searched for. */
  query?: string
}

/** Every page in reading order: each leads to the one before and the one after. */
const pages: readonly { path: string; title: string }[] = [
  { path: '/docs', title: 'Overview' },
  ...guides.map(({ name, title }) => ({ path: `/docs/${name}`, title })),
  { path: '/docs/api', title: 'API reference' },
]

/** Scripts are files from here only, for the search; without them the search is a page. The one style sheet is named by its digest. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', docsStyle, 'base64')}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** Sends a page of the documentation. */
export function sendDocsPage(reply: FastifyReply, page: DocsPage): string {
  reply.type('text/html; charset=utf-8').headers({
    'cache-control': 'public, max-age=300',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
  })
  return renderDocsPage(page).toString()
}

/** The whole page as HTML. */
export function renderDocsPage({ serviceName, title, path, sections, content, query = '' }: DocsPage): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${serviceName}</title>
        ${styleElement(docsStyle)}
        <script type="module" src="/docs/assets/search-box.mjs"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="top">
          <a class="home" href="/docs">${serviceName} documentation</a>
          <form class="search" role="search" action="/docs/search" method="get">
            <input
              type="search"
              name="q"
              value="${query}"
              aria-label="Search the documentation"
              placeholder="Search (press /)"
              autocomplete="off"
            />
            <button>Search</button>
            <div class="found" hidden></div>
          </form>
          <a href="/app/">Application</a>
        </header>
        <div class="layout">
          <div class="side">${guideNavigation(path)}</div>
          <details class="menu">
            <summary>All pages</summary>
            ${guideNavigation(path)}
          </details>
          ${sections.length > 1 ? contents(sections) : null}
          <main id="content">${content} ${neighbours(path)}</main>
        </div>
      </body>
    </html>`
}

function guideNavigation(current: string): Html {
  return html`<nav aria-label="Documentation">
    <ul>
      <li>${link('/docs', 'Overview', current)}</li>
      <li>${link('/docs/api', 'API reference', current)}</li>
    </ul>
    ${guidesByTask.map(
      ({ title, guides: listed }) =>
        html`<p>${title}</p>
          <ul>
            ${listed.map((guide) => html`<li>${link(`/docs/${guide.name}`, guide.title, current)}</li>`)}
          </ul>`,
    )}
  </nav>`
}

function link(path: string, title: string, current: string): Html {
  const given = attributes({ href: checkedUrl(path), 'aria-current': path === current ? 'page' : null })
  return html`<a ${given}>${title}</a>`
}

function contents(sections: DocsPage['sections']): Html {
  return html`<nav class="toc" aria-label="On this page">
    <p>On this page</p>
    <ul>
      ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
    </ul>
  </nav>`
}

function neighbours(path: string): Html | null {
  const place = pages.findIndex((page) => page.path === path)
  if (place === -1) return null
  const before = pages[place - 1]
  const after = pages[place + 1]
  return html`<nav class="turn" aria-label="Previous and next page">
    ${before !== undefined && html`<a ${attributes({ href: checkedUrl(before.path), rel: 'prev' })}><small>Previous</small>← ${before.title}</a>`}
    ${after !== undefined && html`<a ${attributes({ class: 'next', href: checkedUrl(after.path), rel: 'next' })}><small>Next</small>${after.title} →</a>`}
  </nav>`
}
