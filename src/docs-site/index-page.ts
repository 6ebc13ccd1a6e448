import type { FastifyReply, FastifyRequest } from 'fastify'
import { html, type Html } from '../html/html.ts'
import type { Site } from './site.ts'
import { sendDocsPage } from './docs-frame.ts'
import { guidesByTask } from './guide-list.ts'

/** `GET /docs`: every guide by task. */
export function docsIndex({ serviceName }: Site, _request: FastifyRequest, reply: FastifyReply): string {
  return sendDocsPage(reply, {
    serviceName,
    title: 'Documentation',
    path: '/docs',
    sections: [],
    content: content(serviceName),
  })
}

function content(serviceName: string): Html {
  return html`<h1>${serviceName} documentation</h1>
    <p>
      Know, prove and report the vulnerabilities in the products you sell. New here? Begin with
      <a href="/docs/first-upload">the first upload</a>: it leads from an empty workspace to the first
      finding.
    </p>
    <div class="tasks">
      ${guidesByTask.map(
        ({ id, title, guides: listed }) =>
          html`<section aria-labelledby="${id}">
            <h2 id="${id}">${title}</h2>
            <ul>
              ${listed.map((guide) => html`<li><a href="/docs/${guide.name}">${guide.title}</a><small>${guide.about}</small></li>`)}
            </ul>
          </section>`,
      )}
      <section aria-labelledby="reference">
        <h2 id="reference">Reference</h2>
        <ul>
          <li>
            <a href="/docs/api">API reference</a
            ><small>Every operation with its parameters, answers and examples.</small>
          </li>
          <li><a href="/api/v1/openapi.json">OpenAPI 3.1</a><small>The same for machines.</small></li>
        </ul>
      </section>
    </div>`
}
