import { createHash } from 'node:crypto'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { html } from '../html/html.ts'
import { sendPage } from './page-frame.ts'

const hostile = `</title><script>alert(1)</script>" onload="x`

test('a page carries the company, its own style by digest, and no script', async () => {
  const app = fastify()
  app.get('/', (_request, reply) =>
    sendPage(
      reply,
      {
        lang: 'nb',
        title: hostile,
        companyName: hostile,
        links: [
          { path: '/disclose/acme', label: hostile },
          { path: '/disclose/acme/advisories', label: 'Advisories', isCurrent: true },
        ],
        body: html`<h1>${hostile}</h1>`,
      },
      'no-store',
    ),
  )
  const answer = await app.inject('/')
  expect(answer.body).not.toContain('<script')
  expect(answer.body).toContain('<html lang="nb">')
  expect(answer.body).toContain('<a href="/disclose/acme/advisories" aria-current="page">')
  const [, css = ''] = /<style>([^]*)<\/style>/.exec(answer.body) ?? []
  const digest = createHash('sha256').update(css).digest('base64')
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${digest}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  })
})
