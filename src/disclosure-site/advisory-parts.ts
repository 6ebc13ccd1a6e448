import type { DocumentAcknowledgment, DocumentReference } from '../advisories/document/read-document.ts'
import { shownTime } from '../contract/shown-time.ts'
import { checkedUrl } from '../html/checked-url.ts'
import { attributes, html, type Html } from '../html/html.ts'

/** A point in time of a document, for people: in UTC, to the minute. */
export function time(iso: string): Html {
  return html`<time ${attributes({ datetime: iso })}>${shownTime(iso)}</time>`
}

/** An address that nothing can be opened with is shown as text. */
export function outwardLink(url: string, label: string): Html {
  const address = checkedUrl(url)
  if (address === undefined) return html`${label}: ${url}`
  return html`<a ${attributes({ href: address, rel: 'noopener nofollow' })}>${label}</a>`
}

export function referenceSection(references: readonly DocumentReference[], level: 'h2' | 'h3'): Html | null {
  if (references.length === 0) return null
  const heading = level === 'h2' ? html`<h2>References</h2>` : html`<h3>References</h3>`
  return html`${heading}
    <ul>
      ${references.map(({ summary, url }) => html`<li>${outwardLink(url, summary)}</li>`)}
    </ul>`
}

export function acknowledgmentList(acknowledgments: readonly DocumentAcknowledgment[]): Html {
  return html`<ul>
    ${acknowledgments.map(({ names = [], organization, summary, urls = [] }) => {
      const who = [...names, ...(organization === undefined ? [] : [organization])].join(', ')
      const words = [who, ...(summary === undefined ? [] : [summary])].filter((part) => part !== '')
      return html`<li>${words.join(': ')} ${urls.map((url) => html`${outwardLink(url, url)} `)}</li>`
    })}
  </ul>`
}
