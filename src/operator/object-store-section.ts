import { html, type Html } from '../html/html.ts'
import type { ObjectStoreState } from '../views/operation/object-store-state.ts'
import { factsList } from './facts-list.ts'
import { count, time } from './words.ts'

/** Where originals are, whether the store answers, and what waits. */
export function objectStoreSection(state: ObjectStoreState, now: Date): Html {
  const { place, takesNew, failing, lastError, objects, elsewhere, inDatabase } = state
  const facts = [
    ['Place', html`<code>${place}</code>`],
    ['New originals go', takesNew ? 'there' : 'into the database'],
    ['Originals there', count(objects.kept)],
    [takesNew ? 'In the database, to be moved' : 'In the database', count(inDatabase)],
    ['Uploads under way', count(objects.staged)],
    [
      'To be erased',
      objects.erasing === 0
        ? '0'
        : `${count(objects.erasing)}${elsewhere === 0 ? '' : `, ${count(elsewhere)} of them in another bucket`}`,
    ],
    ['Given up as lost', count(objects.lost)],
  ] as const
  return html`<h2 id="object-store">Object store</h2>
    <p>
      <span class="${failing === null ? 'chip good' : 'chip bad'}"
        >${failing === null ? 'Answers' : 'Fails'}</span
      >
      ${
        failing === null
          ? 'It answered when this page was made.'
          : html`It first failed ${time(failing.since, now)}, as far as this process has seen:
            ${failing.words}.`
      }
    </p>
    ${factsList(facts)}
    ${
      lastError === null || failing !== null
        ? null
        : html`<p>Last error of this process, ${time(lastError.at, now)}: ${lastError.words}</p>`
    }
    <p class="quiet">
      ${takesNew && inDatabase > 0 ? html`<code>objects move --to store</code> moves what is in the database. ` : null}Whether
      everything is there and whole, <code>objects check</code> says; its result is not kept.
    </p>`
}
