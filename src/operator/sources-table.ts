import { isOldSource, oldSourceWord, sourceStateWords, type SourceState } from '../contract/sources/shapes.ts'
import { html, type Html } from '../html/html.ts'
import { errorWithoutContent } from '../platform/redact.ts'
import { failureOf, labelOfSource, type listSourceStates } from '../vulndata/source-states.ts'
import { cell } from './table-cell.ts'
import { count, time } from './words.ts'

type ShownSource = Awaited<ReturnType<typeof listSourceStates>>[number]

const colours: Record<SourceState, string> = {
  ok: 'good',
  failing: 'bad',
  partial: 'warn',
  never: 'warn',
  no_source: 'quiet',
  off: 'quiet',
}

export function sourcesTable(sources: readonly ShownSource[], now: Date): Html {
  return html`<table class="stack">
    <thead>
      <tr>
        <th scope="col">Source</th>
        <th scope="col">State</th>
        <th scope="col">Data of</th>
        <th scope="col" class="number">Records</th>
        <th scope="col">Failing since</th>
        <th scope="col">Why the last attempt failed</th>
      </tr>
    </thead>
    <tbody>
      ${sources.map(
        (source) =>
          html`<tr>
            <th scope="row">${labelOfSource(source.name)}</th>
            <td data-label="State">${stateChip(source, now)}</td>
            ${cell('Data of', source.lastSuccessAt === null ? null : time(source.lastSuccessAt, now))}
            ${cell('Records', source.recordCount === 0 ? null : count(source.recordCount), 'number')}
            ${failureCells(source, now)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** The same words as on the page of members. */
function stateChip(source: ShownSource, now: Date): Html {
  const [colour, word] = isOldSource(source, now.getTime())
    ? ['warn', oldSourceWord]
    : [colours[source.state], sourceStateWords[source.state]]
  return html`<span class="chip ${colour}">${capitalised(word)}</span>`
}

function failureCells(source: ShownSource, now: Date): Html {
  const failure = source.state === 'failing' ? failureOf(source) : null
  const since = failure?.since ?? null
  return html`${cell('Failing since', since === null ? null : time(since, now))}
  ${cell('Last failure', failure === null ? null : errorWithoutContent(failure.error), 'text')}`
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
