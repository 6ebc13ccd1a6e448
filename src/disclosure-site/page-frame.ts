import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { checkedUrl } from '../html/checked-url.ts'
import { attributes, html, styleElement, type Html, type Part } from '../html/html.ts'

/** Below it lie the public pages of workspaces, each in the company's name. */
export const discloseRoot = '/disclose/'

/** A public page of a workspace: HTML without script, in the company's name. */
export type DisclosePage = {
  /** Language tag of the page's own words. */
  lang: string
  /** Of the page; the company's name is added. */
  title: string
  companyName: string
  /** The company's other public pages. */
  links: readonly PageLink[]
  /** `<link>` and `<meta>` elements of this page. */
  head?: Part
  body: Html
  /** Words at the foot of the page, under a line. */
  foot?: Part
}

/** `path`: of this server. `isCurrent`: it is the page itself. */
export type PageLink = { path: string; label: string; isCurrent?: boolean }

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent);
  --quiet: color-mix(in srgb, currentColor 72%, transparent); --fill: color-mix(in srgb, currentColor 6%, transparent);
  --link: #0b57b0; --focus: #0b57b0; --good: #17693a; --bad: #a8201a; --warn: #7a5200; }
@media screen and (prefers-color-scheme: dark) { :root { --link: #8ab8f8; --focus: #8ab8f8; --good: #7fd1a0; --bad: #ff9a92; --warn: #f0c36d; } }
html { background: Canvas; color: CanvasText; }
* { box-sizing: border-box; }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 56rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 1.5rem 0 0.5rem; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.25rem 0 0.5rem; }
h3 { font-size: 1.05rem; margin: 1.5rem 0 0.25rem; }
header.company { border-bottom: 1px solid var(--line); padding-bottom: 0.75rem; }
header.company p { font-weight: 600; margin: 0 0 0.25rem; }
header.company ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0; padding: 0; }
[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
footer { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 0.75rem; color: var(--quiet); font-size: 0.9rem; }
code, pre, .mono { font: 0.9em/1.5 ui-monospace, monospace; }
pre { background: var(--fill); padding: 0.75rem; overflow-x: auto; white-space: pre-wrap; }
.text { white-space: pre-wrap; }
.quiet { color: var(--quiet); }
nav.quiet { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; padding-top: 0.5rem; }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--quiet); padding-bottom: 0.25rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 1rem 0.45rem 0; border-bottom: 1px solid var(--line); }
th, td { overflow-wrap: break-word; } td.long { overflow-wrap: anywhere; min-width: 5.5rem; } td time, td.number { white-space: nowrap; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: 0.25rem 1rem; margin: 0.5rem 0; }
dt { color: var(--quiet); } dd { margin: 0; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.5rem; } th, td { padding-right: 0.6rem; } td time { white-space: normal; } .roomy { display: none; } }
label { display: block; font-weight: 600; margin-top: 1.25rem; }
input:not([type=radio], [type=checkbox]), select, textarea { font: inherit; color: inherit; background: transparent; width: 100%; padding: 0.45rem 0.6rem;
  border: 1px solid color-mix(in srgb, currentColor 55%, transparent); border-radius: 4px; }
select option { color: CanvasText; background: Canvas; }
textarea { min-height: 8rem; resize: vertical; }
fieldset { border: 1px solid var(--line); border-radius: 4px; margin: 1.25rem 0 0; padding: 0.75rem 1rem; }
button { font: inherit; font-weight: 600; padding: 0.55rem 1.25rem; margin-top: 1.5rem; border: 0; border-radius: 4px; color: #fff; background: #0b57b0; cursor: pointer; }
label.choice { font-weight: 400; margin-top: 0.5rem; }
legend { font-weight: 600; padding: 0 0.35rem; }
.hint { color: var(--quiet); font-size: 0.9rem; margin: 0.1rem 0 0.3rem; }
.error { color: var(--bad); font-weight: 600; margin: 0.25rem 0 0; }
.note { border-left: 4px solid var(--link); background: var(--fill); padding: 0.75rem 1rem; margin: 1rem 0; }
.note.bad { border-color: var(--bad); color: inherit; } .note.good { border-color: var(--good); color: inherit; }
.trap { position: absolute; left: -200vw; }
@media print { :root { color-scheme: light; } header.company ul, button { display: none; } body { max-width: none; } }
`

/** No script and nothing from elsewhere; the one style sheet by its digest. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash('sha256', style, 'base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** Of every public page. */
export const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
}

/** The whole page as HTML. */
export function renderPage({ lang, title, companyName, links, head, body, foot }: DisclosePage): string {
  const page = html`<!doctype html>
    <html ${attributes({ lang })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${companyName}</title>
        ${head} ${styleElement(style)}
      </head>
      <body>
        <header class="company">
          <p>${companyName}</p>
          ${
            links.length > 0 &&
            html`<nav>
              <ul>
                ${links.map(link)}
              </ul>
            </nav>`
          }
        </header>
        <main>${body}</main>
        ${foot === undefined ? null : html`<footer>${foot}</footer>`}
      </body>
    </html>`
  return page.toString()
}

function link({ path, label, isCurrent = false }: PageLink): Html {
  const current = attributes({ href: checkedUrl(path), 'aria-current': isCurrent ? 'page' : null })
  return html`<li><a ${current}>${label}</a></li>`
}

/** Answers a public page; `cacheControl`: `no-store` for whatever concerns one person. */
export function sendPage(reply: FastifyReply, page: DisclosePage, cacheControl: string): FastifyReply {
  return reply
    .headers({ ...pageHeaders, 'cache-control': cacheControl })
    .type('text/html; charset=utf-8')
    .send(renderPage(page))
}
