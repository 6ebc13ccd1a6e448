import { visibleText } from '../../contract/hidden-characters.ts'
import { catalogueNames, regimeNames, stageNames } from '../../contract/incidents/incident-names.ts'
import type { IncidentEvidence } from '../../contract/incidents/incident-evidence.ts'
import { memberStates, isMemberState } from '../../contract/incidents/member-states.ts'
import { shownDay } from '../../contract/shown-time.ts'
import { html, styleElement, type Html } from '../../html/html.ts'
import { determinations, submissions } from './evidence-decisions.ts'
import { moment, named, nameInCell, pairs, section, table, written } from './evidence-parts.ts'
import { evidenceStyle } from './evidence-style.ts'
import { kindNames, linkNames, sourceNames, stateNames, statusNames } from './evidence-words.ts'

/** The evidence file as a page that prints well: no script, nothing from elsewhere, `evidenceStyle` its one style sheet. */
export function evidencePage(evidence: IncidentEvidence): string {
  const { incident, company } = evidence
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${incident.reference} – evidence file – ${named(company)}</title>
        ${styleElement(evidenceStyle)}
      </head>
      <body>
        ${header(evidence)}
        <main>
          ${facts(evidence)} ${awareness(evidence)} ${listings(evidence)} ${affected(evidence)}
          ${outOfDate(evidence)} ${regimesOn(evidence)} ${determinations(evidence)} ${reports(evidence)}
          ${submissions(evidence)} ${tasks(evidence)} ${links(evidence)} ${timeline(evidence)}
        </main>
      </body>
    </html>`
  return page.toString()
}

function header({ incident, company, generatedAt, generatedBy, timeZone }: IncidentEvidence): Html {
  return html`<header>
    <p>${named(company)}</p>
    <h1>${incident.reference}: ${named(incident.title)}</h1>
    ${incident.isExercise ? html`<p class="exercise">Exercise. Nothing in this file happened.</p>` : null}
    ${pairs([
      ['Evidence file made', [moment(generatedAt, timeZone), `by ${named(generatedBy) ?? ''}`]],
      ['Times', timeZone === 'UTC' ? 'In UTC.' : `In UTC, and below that by the clock of ${timeZone}.`],
    ])}
  </header>`
}

function facts({ incident, timeZone }: IncidentEvidence): Html {
  const when = (iso: string | null) => moment(iso, timeZone)
  const informed = (step: IncidentEvidence['incident']['usersInformed']) =>
    step === null ? 'Not recorded' : [when(step.at), `by ${named(step.by) ?? ''}: `, written(step.how)]
  return section('Facts', [incident], () =>
    pairs([
      ['Kind', kindNames[incident.kind]],
      ['Status', incident.status === 'open' ? 'Open' : 'Closed'],
      ['Opened', [when(incident.openedAt), `by ${named(incident.openedBy) ?? ''}`]],
      ['Source', sourceNames[incident.source]],
      ['Aware since', when(incident.awareAt)],
      ['Occurred', when(incident.occurredAt)],
      ['Measure available', when(incident.measureAvailableAt)],
      ['Vulnerability', named(incident.vulnerability)],
      ['Also known as', named(incident.aliases.join(', '))],
      ['Severity', capitalised(incident.severity)],
      ['Product families', named(incident.families.join(', '))],
      ['Member States', incident.memberStates.map(stateName).join(', ')],
      ['Assignee', named(incident.assignee)],
      ['Users informed', informed(incident.usersInformed)],
      ['Maintainer of the component informed', informed(incident.maintainerInformed)],
      [
        'Closed',
        incident.closedAt === null ? null : [when(incident.closedAt), `by ${named(incident.closedBy) ?? ''}`],
      ],
      ['Reason for closing', written(incident.closeReason)],
    ]),
  )
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function stateName(code: string): string {
  return isMemberState(code) ? `${memberStates[code]} (${code})` : visibleText(code)
}

function awareness({ awareness: changes, timeZone }: IncidentEvidence): Html {
  return section('Changes of the time of awareness', changes, () =>
    table(
      ['From', 'To', 'Reason', 'Recorded', 'State'],
      changes.map((change) => [
        moment(change.from, timeZone),
        moment(change.to, timeZone),
        written(change.reason),
        [moment(change.recordedAt, timeZone), `by ${named(change.recordedBy) ?? ''}`],
        [
          stateNames[change.state],
          change.decidedBy === null ? null : ` by ${named(change.decidedBy) ?? ''}`,
          change.withoutSecondPerson ? html`<p class="bad">Approved without second person</p>` : null,
          moment(change.decidedAt, timeZone),
          written(change.comment),
        ],
      ]),
    ),
  )
}

function listings({ listings: entries, timeZone }: IncidentEvidence): Html {
  return section('Entries in catalogues of exploited vulnerabilities', entries, () =>
    table(
      ['Catalogue', 'Entry', 'Listed on', 'First seen', 'Removed'],
      entries.map((entry) => [
        catalogueNames[entry.catalogue],
        named(entry.id),
        entry.listedOn === null ? null : shownDay(entry.listedOn),
        moment(entry.seenAt, timeZone),
        moment(entry.removedAt, timeZone),
      ]),
    ),
  )
}

function affected({ affected: rows, timeZone }: IncidentEvidence): Html {
  return section('Affected versions and components', rows, () =>
    table(
      ['Product', 'Version', 'Component', 'Package URL', 'Exploited, by', 'Added'],
      rows.map(({ family, version, component, listedBy, addedAt }) => [
        nameInCell(family),
        nameInCell(version) ?? 'without version',
        nameInCell([component.name, component.version].filter((part) => part !== null).join(' ')),
        component.purl === null ? null : html`<code>${named(component.purl)}</code>`,
        listedBy.map((catalogue) => catalogueNames[catalogue]).join(', '),
        moment(addedAt, timeZone),
      ]),
    ),
  )
}

function outOfDate({ data, generatedAt, timeZone }: IncidentEvidence): Html {
  return section('Vulnerability data that were out of date', data.outOfDate, () => [
    html`<p>
      When this file was made (${moment(generatedAt, timeZone)}), some sources behind what is said here were
      not current.
      ${data.stale === 0 ? null : `Components of the products that were checked with older data: ${data.stale}.`}
    </p>`,
    html`<ul>
      ${data.outOfDate.map((source) => html`<li>${named(source)}</li>`)}
    </ul>`,
  ])
}

function regimesOn({ regimes, timeZone }: IncidentEvidence): Html {
  return section('Regimes', regimes, () =>
    table(
      ['Regime', 'State', 'Aware since', 'Classified as major', 'Authority'],
      regimes.map(({ regime, isActive, awareAt, classifiedAt, reason, authority }) => [
        regimeNames[regime],
        isActive ? 'In force' : ['Off', reason === null ? null : [': ', written(reason)]],
        moment(awareAt, timeZone),
        moment(classifiedAt, timeZone),
        nameInCell(authority),
      ]),
    ),
  )
}

function reports({ reports: rows, timeZone }: IncidentEvidence): Html {
  return section('Reports', rows, () =>
    table(
      ['Regime', 'Report', 'Due', 'Submitted', 'Status', 'Reason'],
      rows.map((row) => [
        regimeNames[row.regime],
        [stageNames[row.report], row.cycle === 1 ? null : ` (cycle ${row.cycle})`],
        moment(row.dueAt, timeZone),
        moment(row.submittedAt, timeZone),
        row.isLate || row.status === 'overdue'
          ? html`<span class="bad">${row.isLate ? statusNames.late : statusNames[row.status]}</span>`
          : statusNames[row.status],
        written(row.reason),
      ]),
    ),
  )
}

function tasks({ tasks: rows, timeZone }: IncidentEvidence): Html {
  return section('Requests and tasks', rows, () =>
    table(
      ['Task', 'Due', 'Added', 'Done'],
      rows.map((row) => [
        written(row.title),
        moment(row.dueAt, timeZone),
        [moment(row.createdAt, timeZone), `by ${named(row.createdBy) ?? ''}`],
        row.doneAt === null ? 'No' : [moment(row.doneAt, timeZone), `by ${named(row.doneBy) ?? ''}`],
      ]),
    ),
  )
}

function links({ links: rows }: IncidentEvidence): Html {
  return section('Linked', rows, () =>
    table(
      ['What', 'Name', 'Relation'],
      rows.map(({ kind, name, relation }) => [linkNames[kind], nameInCell(name), named(relation)]),
    ),
  )
}

function timeline({ timeline: entries, timeZone }: IncidentEvidence): Html {
  return section('Timeline', entries, () =>
    table(
      [timeZone === 'UTC' ? 'UTC' : `UTC and ${timeZone}`, 'Who', 'What'],
      entries.map(({ at, actor, text }) => [moment(at, timeZone), named(actor), written(text)]),
    ),
  )
}
