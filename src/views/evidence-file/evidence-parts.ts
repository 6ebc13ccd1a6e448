import { Temporal } from 'temporal-polyfill'
import { visibleLines, visibleText } from '../../contract/hidden-characters.ts'
import { shownSecond } from '../../contract/shown-time.ts'
import { html, type Html, type Part } from '../../html/html.ts'

/** An instant in UTC and, where it is another, by the clock of the zone, with its offset. The page says once which zone that is. */
export function moment(iso: string | null, timeZone: string): Html | null {
  if (iso === null) return null
  const instant = Temporal.Instant.from(iso)
  const inUtc = html`<time datetime="${instant.toString()}">${shownSecond(iso)}</time>`
  if (timeZone === 'UTC') return inUtc
  const local = instant.toZonedDateTimeISO(timeZone)
  return html`${inUtc} <time class="quiet">${shownSecond(iso, timeZone)} (${local.offset})</time>`
}

/** What people wrote: its lines are kept, and characters that no one sees are named. */
export function written(text: string | null): Html | null {
  if (text === null || text === '') return null
  return html`<span class="text">${visibleLines(text)}</span>`
}

/** One line of it, such as a name. */
export function named(text: string | null): string | null {
  return text === null ? null : visibleText(text)
}

/** A name in a cell: a long one goes on below, so that the columns beside it stay on the paper. */
export function nameInCell(text: string | null): Html | null {
  return text === null ? null : html`<span class="name">${visibleText(text)}</span>`
}

/** Names with what is said of them; those without anything are left out. */
export function pairs(rows: readonly (readonly [string, Part])[]): Html {
  const said = rows.filter(([, part]) => !isNothing(part))
  return html`<dl>
    ${said.map(
      ([name, part]) =>
        html`<dt>${name}</dt>
          <dd>${part}</dd>`,
    )}
  </dl>`
}

function isNothing(part: Part): boolean {
  if (Array.isArray(part)) return part.every(isNothing)
  return part === null || part === undefined || part === '' || part === false
}

/** A table that can be wider than the screen; the keyboard reaches it to scroll. */
export function table(columns: readonly string[], rows: readonly (readonly Part[])[]): Html {
  return html`<div class="scroll" tabindex="0">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** A part of the page under its heading, which says so when there is nothing. */
export function section(title: string, rows: readonly unknown[], body: () => Part): Html {
  return html`<section>
    <h2>${title}</h2>
    ${rows.length === 0 ? html`<p class="quiet">None.</p>` : body()}
  </section>`
}
