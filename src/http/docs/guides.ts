import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import { html, styleElement, type Html } from '../../platform/html/html.ts'
import type { HttpDeps } from '../deps.ts'
import { docsStyle } from './docs-page.ts'
import { guides, isGuide, type Guide } from './guide-list.ts'
import { readMarkdown, type Markdown } from './markdown.ts'

const docsDir = join(import.meta.dirname, '../../../docs')

const guideStyle = `${docsStyle}
pre { overflow-x: auto; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 6px; line-height: 1.45; }
pre code { overflow-wrap: normal; }
body > nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding: 0; list-style: none; }
p, li { overflow-wrap: anywhere; }
th code, td code { overflow-wrap: break-word; }
:target { scroll-margin-top: 1rem; }
`
const styleHash = hash('sha256', guideStyle, 'base64')

/** `GET /docs/:name`: a guide of docs/ for users, without any script. */
export async function guidePage(
  _deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { name = '' } = request.params as { name?: string }
  if (!isGuide(name)) throw new ServiceError('not_found')
  const text = await readFile(join(docsDir, `${name}.md`), 'utf8')
  reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'public, max-age=300')
    .header(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
    )
    .header('referrer-policy', 'no-referrer')
  return renderGuide(name, readMarkdown(text, guideAddress)).toString()
}

/** Guides link to each other by file; a file that is not served has no address here. */
function guideAddress(href: string): string | undefined {
  if (href.startsWith('#') || href.startsWith('https://')) return href
  const [, name = '', fragment = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? []
  return isGuide(name) ? `/docs/${name}${fragment}` : undefined
}

function renderGuide(name: Guide, { title, sections, content }: Markdown): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${styleElement(guideStyle)}
      </head>
      <body>
        <nav aria-label="Guides">
          <ul>
            <li><a href="/docs">API reference</a></li>
            ${guides.map((guide) => html`<li>${guide.name === name ? html`<strong>${guide.title}</strong>` : html`<a href="/docs/${guide.name}">${guide.title}</a>`}</li>`)}
          </ul>
        </nav>
        <main>
          <nav aria-label="Sections">
            <ul>
              ${sections.map((section) => html`<li><a href="#${section.id}">${section.title}</a></li>`)}
            </ul>
          </nav>
          ${content}
        </main>
      </body>
    </html>`
}
