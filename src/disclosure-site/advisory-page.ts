import { setImmediate as turn } from 'node:timers/promises'
import { productNames, type WrittenDocument } from '../advisories/document/read-document.ts'
import { html, type Html } from '../html/html.ts'
import { acknowledgmentList, outwardLink, referenceSection, time } from './advisory-parts.ts'
import { vulnerabilitySection } from './advisory-vulnerability.ts'
import { NamedProducts } from './named-products.ts'

/** Where the document is served and its digests; null: it is not published. */
export type Served = { url: string; fileName: string; sha256: string; sha512: string }

/** The content of an advisory, from its document: the same on pages and in the preview. */
export async function advisoryBody(document: WrittenDocument, served: Served | null): Promise<Html> {
  const { title, notes = [], tracking, distribution, references = [], publisher } = document.document
  const { aggregate_severity: severity } = document.document
  const legal = notes.filter(({ category }) => category === 'legal_disclaimer')
  const vulnerabilities = await vulnerabilitySections(document)
  const others = references.filter(({ category }) => category !== 'self')
  return html`<h1>${title}</h1>
    <dl>
      <dt>Advisory</dt>
      <dd>${tracking.id}, version ${tracking.version}</dd>
      ${
        severity !== undefined &&
        html`<dt>Severity</dt>
          <dd><strong>${severity.text}</strong></dd>`
      }
      <dt>Published</dt>
      <dd>${time(tracking.initial_release_date)}</dd>
      <dt>Last changed</dt>
      <dd>${time(tracking.current_release_date)}</dd>
      <dt>TLP</dt>
      <dd>${distribution.tlp.label}</dd>
      <dt>Publisher</dt>
      <dd>${publisher.name}</dd>
    </dl>
    ${notes.filter((note) => !legal.includes(note)).map(({ text }) => html`<p class="text">${text}</p>`)}
    ${vulnerabilities} ${referenceSection(others, 'h2')} ${acknowledgmentSection(document)}
    ${historySection(document)} ${served !== null && verifySection(served)}
    <h2>Contact</h2>
    <p class="text">${publisher.contact_details}</p>
    ${legal.map(
      ({ title: heading = 'Legal note', text }) =>
        html`<h2>${heading}</h2>
          <p class="text">${text}</p>`,
    )}`
}

/** Others get their turn between two: there may be a hundred, each of hundreds of versions. */
async function vulnerabilitySections(document: WrittenDocument): Promise<Html[]> {
  const names = new NamedProducts(productNames(document))
  const sections: Html[] = []
  for (const [index, vulnerability] of (document.vulnerabilities ?? []).entries()) {
    sections.push(vulnerabilitySection(vulnerability, { names, index }))
    await turn()
  }
  return sections
}

function acknowledgmentSection({ document: { acknowledgments = [] } }: WrittenDocument): Html | null {
  if (acknowledgments.length === 0) return null
  return html`<h2>Acknowledgments</h2>
    ${acknowledgmentList(acknowledgments)}`
}

function historySection({ document: { tracking } }: WrittenDocument): Html {
  return html`<h2>Versions</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">Date</th>
            <th scope="col">What is new</th>
          </tr>
        </thead>
        <tbody>
          ${tracking.revision_history.toReversed().map(
            ({ number, date, summary }) =>
              html`<tr>
                <td class="number">${number}</td>
                <td>${time(date)}</td>
                <td>${summary}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

/** How anyone can check that a copy is what was published. */
function verifySection({ url, fileName, sha256, sha512 }: Served): Html {
  return html`<h2>Document and digests</h2>
    <p>This page shows the document ${outwardLink(url, fileName)} (CSAF 2.0), which tools can read.</p>
    <dl>
      <dt>SHA-256</dt>
      <dd class="mono">${sha256}</dd>
      <dt>SHA-512</dt>
      <dd class="mono">${sha512}</dd>
    </dl>
    <p>To check a copy, download the document and its digest and compare them:</p>
    <pre>
curl -O ${url} -O ${url}.sha256
sha256sum -c ${fileName}.sha256</pre>`
}
