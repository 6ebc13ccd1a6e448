import type { FastifyReply } from 'fastify'
import { countMail, listMail, type ListedMail } from '../notices/mail/list-mail.ts'
import { visibleText } from '../contract/hidden-characters.ts'
import { messageStates, type MessageState } from '../contract/notices/shapes.ts'
import { errorWithoutContent } from '../platform/redact.ts'
import { attributes, html, type Html } from '../html/html.ts'
import { checkedUrl } from '../html/checked-url.ts'
import type { Operating } from './operating.ts'
import { sendOperatorPage } from './page-frame.ts'
import { cell } from './table-cell.ts'
import { count, counted, time } from './words.ts'

const words: Record<MessageState, readonly [shown: string, colour: string]> = {
  waiting: ['Waiting', 'quiet'],
  sending: ['Being sent', 'quiet'],
  sent: ['Sent', 'good'],
  failed: ['Failed', 'bad'],
  kept: ['Kept', 'warn'],
  not_sent: ['Not sent', 'quiet'],
}

/**
 * The newest messages and what became of them. Not their text, and the subject of letters alone: a text has a link that signs somebody in,
 * or names products, as other subjects do (docs/decisions/0012-operator-pages.md).
 */
export async function showMailPage(asked: Operating): Promise<FastifyReply> {
  const { deps, query, now } = asked
  const state = messageStates.find((name) => name === query('state'))
  const counts = await countMail(deps.db)
  const rows = await listMail(deps.db, state)
  const body = html`<h1>Mail</h1>
    <p>
      ${deps.sendsMail ? 'Messages go to your mail server.' : html`There is no mail server (<code>SMTP_URL</code>): messages are kept and not sent later.`}
      <code>npm run -s cli -- mail show</code> with the id of a message prints it, with its link while that is
      valid.
    </p>
    ${filters(counts, state)}
    ${rows.length === 0 ? html`<p class="quiet">There is no such message.</p>` : table(rows, now)}`
  return sendOperatorPage(asked, { title: 'Mail', section: 'mail', body })
}

function aboutOf({ kind, subject }: Pick<ListedMail, 'kind' | 'subject'>): string {
  const words = kind.replace(/^letter\./, '').replaceAll(/[._]/g, ' ')
  return (kind.startsWith('letter.') ? subject : null) ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function filters(counts: Partial<Record<MessageState, number>>, state: MessageState | undefined): Html {
  const link = (path: string, label: string, isCurrent: boolean) =>
    html`<a ${attributes({ href: checkedUrl(path), 'aria-current': isCurrent ? 'true' : null })}>${label}</a>`
  return html`<nav class="turn" aria-label="Messages by state">
    ${link('/operator/mail', 'The newest', state === undefined)}
    ${messageStates
      .filter((name) => (counts[name] ?? 0) > 0 || name === state)
      .map((name) =>
        link(`/operator/mail?state=${name}`, `${words[name][0]} ${count(counts[name] ?? 0)}`, name === state),
      )}
  </nav>`
}

function table(rows: readonly ListedMail[], now: Date): Html {
  return html`<p class="quiet">${rows.length === 100 ? 'The newest 100' : counted(rows.length, 'message')}</p>
    <table class="stack">
      <thead>
        <tr>
          <th scope="col">To</th>
          <th scope="col">About</th>
          <th scope="col">State</th>
          <th scope="col">Made</th>
          <th scope="col" class="number">Attempts</th>
          <th scope="col">Why</th>
          <th scope="col">Id</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ id, to, kind, subject, state, createdAt, attempts, reason }) =>
            html`<tr>
              <th scope="row" class="address">${visibleText(to)}</th>
              <td data-label="About">${visibleText(aboutOf({ kind, subject }))}</td>
              <td data-label="State"><span class="chip ${words[state][1]}">${words[state][0]}</span></td>
              <td data-label="Made">${time(createdAt, now)}</td>
              <td class="number" data-label="Attempts">${count(attempts)}</td>
              ${cell('Why', reason === null ? null : errorWithoutContent(reason), 'text')}
              <td data-label="Id"><code>${id}</code></td>
            </tr>`,
        )}
      </tbody>
    </table>`
}
