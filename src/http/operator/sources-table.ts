import type { Db } from '../../database/connection.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { errorWithoutContent } from '../../platform/redact.ts'
import {
  conditionOf,
  labelOfSource,
  listSources,
  type SourceCondition,
  type SourceState,
} from '../../vulndata/source-states.ts'
import { fetchedSources } from '../../vulndata/sources/all.ts'
import { cell } from './table-cell.ts'
import { count, time } from './words.ts'

type ShownSource = {
  label: string
  condition: SourceCondition
  lastSuccessAt: Date | null
  recordCount: number
  error: string | null
}

/** Every source that was ever tried, and those that are fetched and were not. */
export async function readSources(db: Db, switchedOff: readonly string[]): Promise<ShownSource[]> {
  const stored = await listSources(db)
  const untried = fetchedSources
    .map(({ id }) => id)
    .filter((id) => !stored.some(({ name }) => name === id || name.startsWith(`${id}:`)))
  const shown = (name: string, source?: SourceState): ShownSource => ({
    label: labelOfSource(name),
    condition: conditionOf(source, { isOff: switchedOff.includes(name) }),
    lastSuccessAt: source?.lastSuccessAt ?? null,
    recordCount: source?.recordCount ?? 0,
    error: errorOf(source),
  })
  return [...stored.map((source) => shown(source.name, source)), ...untried.map((name) => shown(name))]
}

function errorOf(source: SourceState | undefined): string | null {
  const error = source?.lastError ?? source?.reconcile?.lastError ?? null
  return error === null ? null : errorWithoutContent(error)
}

const words: Record<SourceCondition, readonly [shown: string, colour: string]> = {
  ok: ['Loaded', 'good'],
  failing: ['Failing', 'bad'],
  partial: ['Partly loaded', 'warn'],
  never_loaded: ['Never loaded', 'warn'],
  off: ['Off', 'quiet'],
}

export function sourcesTable(sources: readonly ShownSource[], now: Date): Html {
  return html`<table class="stack">
    <thead>
      <tr>
        <th scope="col">Source</th>
        <th scope="col">State</th>
        <th scope="col">Data of</th>
        <th scope="col" class="number">Records</th>
        <th scope="col">Why the last attempt failed</th>
      </tr>
    </thead>
    <tbody>
      ${sources.map(
        ({ label, condition, lastSuccessAt, recordCount, error }) =>
          html`<tr>
            <th scope="row">${label}</th>
            <td data-label="State">
              <span class="chip ${words[condition][1]}">${words[condition][0]}</span>
            </td>
            ${cell('Data of', lastSuccessAt === null ? null : time(lastSuccessAt, now))}
            ${cell('Records', recordCount === 0 ? null : count(recordCount), 'number')}
            ${cell('Last failure', error, 'text')}
          </tr>`,
      )}
    </tbody>
  </table>`
}
