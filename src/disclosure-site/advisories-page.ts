import { feedAddress } from '../advisories/feed/publisher.ts'
import type { PublicAdvisory } from '../advisories/feed/public-advisories.ts'
import { advisorySeverityNames } from '../contract/advisories/shapes.ts'
import { checkedUrl } from '../html/checked-url.ts'
import { attributes, html, type Html } from '../html/html.ts'
import { time } from './advisory-parts.ts'
import { discloseRoot } from './page-frame.ts'

type Listed = {
  slug: string
  baseUrl: string
  rows: readonly PublicAdvisory[]
  isFirst: boolean
  /** Where the next page, of older ones, begins; null: there is none. */
  nextCursor: string | null
}

/** A page of the list of a company's advisories, with where tools read the same. */
export function advisoriesPage({ slug, baseUrl, rows, isFirst, nextCursor }: Listed): {
  title: string
  head: Html
  body: Html
} {
  const title = 'Security advisories'
  const metadata = checkedUrl(`${feedAddress(slug, baseUrl)}/provider-metadata.json`)
  const atom = checkedUrl(`${baseUrl}${discloseRoot}${slug}/advisories.atom`)
  const head = html`<link ${attributes({ rel: 'alternate', type: 'application/json', href: metadata })} />
    <link ${attributes({ rel: 'alternate', type: 'application/atom+xml', href: atom, title })} />`
  const body = html`<h1>${title}</h1>
    ${rows.length === 0 ? html`<p>${nothingListed(isFirst)}</p>` : advisoryTable(slug, rows)}
    ${pageLinks(slug, isFirst, nextCursor)}
    <h2>For tools</h2>
    <ul>
      <li>
        <a ${attributes({ href: metadata })}>CSAF 2.0 feed</a>: every advisory as a document that tools can
        read, with its digests
      </li>
      <li><a ${attributes({ href: atom })}>Atom feed</a>, for feed readers</li>
    </ul>`
  return { title, head, body }
}

/** Those that were older may have been changed, and be newer now. */
function nothingListed(isFirst: boolean): string {
  return isFirst ? 'No advisories have been published so far.' : 'No advisory is older.'
}

function pageLinks(slug: string, isFirst: boolean, nextCursor: string | null): Html | null {
  if (isFirst && nextCursor === null) return null
  const newest = checkedUrl(`${discloseRoot}${slug}/advisories`)
  return html`<p>
    ${!isFirst && html`<a ${attributes({ href: newest })}>Newest</a>`}
    ${nextCursor !== null && html`<a href="?before=${nextCursor}">Older</a>`}
  </p>`
}

function advisoryTable(slug: string, rows: readonly PublicAdvisory[]): Html {
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">Advisory</th>
          <th scope="col">Title</th>
          <th scope="col">Severity</th>
          <th scope="col" class="roomy">Version</th>
          <th scope="col">Last changed</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(({ trackingId, title, severity, number, releasedAt }) => {
          const href = checkedUrl(`${discloseRoot}${slug}/advisories/${trackingId}`)
          return html`<tr>
            <td><a ${attributes({ href })}>${trackingId}</a></td>
            <td class="long">${title}</td>
            <td>${severity === null ? 'Not stated' : advisorySeverityNames[severity]}</td>
            <td class="roomy">${number}</td>
            <td>${time(releasedAt.toISOString())}</td>
          </tr>`
        })}
      </tbody>
    </table>
  </div>`
}
