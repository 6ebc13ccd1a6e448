import { regimeNames, stageNames, valueNames } from '../../contract/incidents/incident-names.ts'
import type { IncidentEvidence } from '../../contract/incidents/incident-evidence.ts'
import { checkedUrl } from '../../html/checked-url.ts'
import { html, type Html, type Part } from '../../html/html.ts'
import { moment, named, pairs, section, table, written } from './evidence-parts.ts'
import { stateNames, submissionNames } from './evidence-words.ts'

type Determination = IncidentEvidence['determinations'][number]
type Submission = IncidentEvidence['submissions'][number]

/** Every determination with its reasoning, and who approved it. */
export function determinations({ determinations: rows, timeZone }: IncidentEvidence): Html {
  return section('Determinations', rows, () => rows.map((row) => determination(row, timeZone)))
}

function determination(row: Determination, timeZone: string): Html {
  return html`<article class="decision">
    <h3>${valueNames[row.value]} – ${stateNames[row.state].toLowerCase()}</h3>
    ${row.withoutSecondPerson ? html`<p class="bad">Approved without second person</p>` : null}
    ${pairs([
      ['Reasoning', written(row.reasoning)],
      ['Evidence', row.evidence.map((one) => html`<p>${evidenceLink(one)}</p>`)],
      ['Recorded', [moment(row.recordedAt, timeZone), `by ${named(row.recordedBy) ?? ''}`]],
      [
        'Decided',
        row.decidedAt === null ? null : [moment(row.decidedAt, timeZone), `by ${named(row.decidedBy) ?? ''}`],
      ],
      ['Comment', written(row.comment)],
      ['Cycle', row.cycle === 1 ? null : row.cycle],
    ])}
  </article>`
}

/** On paper an address is read, hence it is its own text. */
function evidenceLink(text: string): Part {
  const url = /^https?:\/\//i.test(text) ? checkedUrl(text) : undefined
  return url === undefined ? written(text) : html`<a href="${url}" rel="noreferrer">${named(text)}</a>`
}

/** What was filed, with the draft as it was then. */
export function submissions({ submissions: rows, timeZone }: IncidentEvidence): Html {
  return section('Submissions', rows, () => rows.map((row) => submission(row, timeZone)))
}

function submission(row: Submission, timeZone: string): Html {
  const title = `${submissionNames[row.kind]}: ${regimeNames[row.regime]}, ${stageNames[row.report].toLowerCase()}`
  return html`<article>
    <h3>${title}</h3>
    ${row.beforeApproval ? html`<p class="bad">Filed before approval</p>` : null}
    ${pairs([
      ['Submitted', moment(row.submittedAt, timeZone)],
      ['First recorded as', moment(row.firstSubmittedAt, timeZone)],
      ['Recorded', [moment(row.recordedAt, timeZone), `by ${named(row.recordedBy) ?? ''}`]],
      ['Channel', named(row.channel)],
      ['Authority', named(row.authority)],
      ['Reference of the authority', named(row.reference)],
      ['Reasons for the delay', written(row.delayReason)],
      ['Receipt', named(row.receipt)],
      ['Cycle', row.cycle === 1 ? null : row.cycle],
    ])}
    ${draft(row)}
  </article>`
}

function draft({ draft: snapshot }: Submission): Part {
  if (snapshot === null) return html`<p class="quiet">No draft was kept with it.</p>`
  return html`<p>The draft at that moment, by the form of ${named(snapshot.version)}:</p>
    ${table(
      ['No.', 'Field', 'Value'],
      snapshot.fields.map(({ number, label, value }) => [named(number), named(label), written(value)]),
    )}`
}
