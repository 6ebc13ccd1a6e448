import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { checkedUrl } from '../html/checked-url.ts'
import { attributes, html, styleElement, type Html, type Part } from '../html/html.ts'
import type { Operating } from './operating.ts'
import { operatorStyle } from './operator-style.ts'
import { time } from './words.ts'

/** A page for operators: HTML without script. */
export type OperatorPage = {
  title: string
  /** Which entry of the navigation it is or belongs to. */
  section: Section
  body: Html
  status?: number
}

const sections = {
  overview: ['/operator', 'Overview'],
  workspaces: ['/operator/workspaces', 'Workspaces'],
  jobs: ['/operator/jobs', 'Failed jobs'],
  mail: ['/operator/mail', 'Mail'],
} as const
type Section = keyof typeof sections

/** No script and nothing from elsewhere; the one style sheet by its digest. */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', operatorStyle, 'base64')}'`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  // a form's request says which site it comes from, which it would not with no-referrer
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'cache-control': 'no-store',
}

export function sendOperatorPage(
  asked: Operating,
  { title, section, body, status = 200 }: OperatorPage,
): FastifyReply {
  const { deps, reply, session, formToken, now } = asked
  const page = document(`${title} – ${deps.serviceName} operator`, [
    html`<header class="top">
      <p class="name">${deps.serviceName} <span class="quiet">operator</span></p>
      <nav aria-label="Pages for operators">
        <ul>
          ${Object.entries(sections).map(([name, [path, label]]) => {
            const given = attributes({
              href: checkedUrl(path),
              'aria-current': name === section ? 'page' : null,
            })
            return html`<li><a ${given}>${label}</a></li>`
          })}
        </ul>
      </nav>
      <form method="post" action="/operator/sign-out">
        ${formField(formToken)}
        <button class="plain">Sign out</button>
      </form>
    </header>`,
    html`<main id="content">${body}</main>`,
    html`<footer>
      <p>
        This session ends ${time(session.expiresAt, now)}. Its acts are in the audit trail under the name
        “operator”. All times are UTC.
      </p>
    </footer>`,
  ])
  return send(reply, page, status)
}

/** The page of a link, before anybody is signed in. */
export function sendEnterPage(reply: FastifyReply, serviceName: string, body: Html): FastifyReply {
  return send(
    reply,
    document(`Sign in as operator – ${serviceName}`, [
      html`<header class="top">
        <p class="name">${serviceName} <span class="quiet">operator</span></p>
      </header>`,
      html`<main id="content">${body}</main>`,
    ]),
    200,
  )
}

function send(reply: FastifyReply, page: Html, status: number): FastifyReply {
  return reply.status(status).headers(headers).type('text/html; charset=utf-8').send(page.toString())
}

function document(title: string, content: Part): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>${title}</title>
        ${styleElement(operatorStyle)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${content}
      </body>
    </html>`
}

/** What every form of a session carries. */
export function formField(formToken: string): Html {
  return html`<input type="hidden" name="form" value="${formToken}" />`
}
