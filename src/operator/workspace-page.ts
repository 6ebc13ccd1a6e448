import type { FastifyReply } from 'fastify'
import { visibleText } from '../contract/hidden-characters.ts'
import { html, type Html, type Part } from '../html/html.ts'
import { listOperatorActs, type OperatorAct } from '../views/operation/list-operator-acts.ts'
import { selectOperatedWorkspace, type OperatedWorkspace } from '../views/operation/list-workspaces.ts'
import { reportLimits } from '../contract/disclosure/shapes.ts'
import type { Ceilings } from '../workspace/ceilings.ts'
import { factsList } from './facts-list.ts'
import type { Operating } from './operating.ts'
import { sendOperatorPage } from './page-frame.ts'
import { stateChip } from './state-chip.ts'
import { cell } from './table-cell.ts'
import { bytesInWords, count, counted, time } from './words.ts'
import { actForms, type AgainOf } from './workspace-forms.ts'

/** What was done, as the address of the page says it after an act. */
const doneWords: Record<string, string> = {
  plan: 'The plan was changed.',
  suspended: 'The workspace is suspended: it is read-only from its next request on.',
  lifted: 'The suspension was lifted. What was missed meanwhile is matched now.',
  ceilings: 'The ceilings were set.',
}

/** One workspace: how much it holds, what operators did to it, and what they can do. */
export async function showWorkspace(asked: Operating): Promise<FastifyReply> {
  const done = asked.query('done')
  const words = Object.hasOwn(doneWords, done) ? doneWords[done] : undefined
  return answerWorkspace(asked, {
    note: words === undefined ? null : html`<p class="note good" role="status">${words}</p>`,
    again: {},
  })
}

type Shown = { note: Html | null; again: AgainOf; status?: number }

export async function answerWorkspace(
  asked: Operating,
  { note, again, status = 200 }: Shown,
): Promise<FastifyReply> {
  const { deps, slug, formToken, now } = asked
  const workspace = await selectOperatedWorkspace(deps.db, slug, now)
  if (workspace === undefined) return answerUnknownWorkspace(asked, slug)
  const acts = await listOperatorActs(deps.db, slug)
  const body = html`<p><a href="/operator/workspaces">← Workspaces</a></p>
    <h1>${slug}</h1>
    <p>${stateChip(workspace.state)} ${stateSentence(workspace, now)}</p>
    ${note} ${facts(workspace, now)} ${actForms(workspace, { again, formToken })}
    <h2>What the operator and the service did</h2>
    ${actsTable(acts, now)}`
  return sendOperatorPage(asked, { title: slug, section: 'workspaces', body, status })
}

export function answerUnknownWorkspace(asked: Operating, slug: string): FastifyReply {
  const body = html`<h1>No such workspace</h1>
    <p>
      There is no workspace with the slug “${slug}”. <a href="/operator/workspaces">Show all workspaces</a>
    </p>`
  return sendOperatorPage(asked, { title: 'No such workspace', section: 'workspaces', body, status: 404 })
}

function stateSentence({ plan, state, endsAt }: OperatedWorkspace, now: Date): Part {
  if (state === 'closed') return 'Only its owners see its pages, and an owner can reopen it.'
  if (state === 'suspended') return 'It is read-only until you lift that, whatever its plan.'
  if (state === 'moving')
    return 'It is frozen until the move is finished or given up (“workspace redirect”, “workspace unfreeze”).'
  if (state === 'moved')
    return 'It is at another installation; what is here is a copy, which “workspace discard” removes.'
  if (plan === 'free') return 'On the plan free, which is read-only.'
  if (endsAt === null) return `On the plan ${plan}, which has no end.`
  return html`On the plan ${plan}, which ${state === 'free' ? 'ended' : 'ends'} ${time(endsAt, now)}.`
}

function facts(workspace: OperatedWorkspace, now: Date): Html {
  const { ceilings, lastActivityAt } = workspace
  const shown: [string, Part][] = [
    ['Plan', workspace.plan],
    ['Members', count(workspace.members)],
    ['Families', withCeiling(count(workspace.families), ceilings, 'families')],
    ['Documents', count(workspace.documents)],
    ['Stored, inflated', withCeiling(bytesInWords(workspace.bytes), ceilings, 'bytes')],
    ['Files of reports', withRoom(workspace.fileBytes, ceilings.files)],
    ['Uploads in 30 days', count(workspace.uploads30Days)],
    ['Last activity', lastActivityAt === null ? '–' : time(lastActivityAt, now)],
    ['Created', time(workspace.createdAt, now)],
  ]
  return html`${factsList(shown)}
  ${ceilings.sboms === null ? null : html`<p>It may hold ${counted(ceilings.sboms, 'SBOM')}.</p>`}`
}

function withCeiling(held: string, ceilings: Ceilings, name: 'families' | 'bytes'): string {
  const max = ceilings[name]
  if (max === null) return held
  return `${held} of ${name === 'bytes' ? bytesInWords(max) : count(max)}`
}

/** Files of reports have a ceiling in every workspace. */
function withRoom(held: number, max: number | null): string {
  return `${bytesInWords(held)} of ${bytesInWords(max ?? reportLimits.workspaceBytes)}`
}

function actsTable(acts: readonly OperatorAct[], now: Date): Html {
  if (acts.length === 0) return html`<p class="quiet">Nothing so far.</p>`
  return html`<table class="stack">
    <thead>
      <tr>
        <th scope="col">Action</th>
        <th scope="col">When</th>
        <th scope="col">By</th>
        <th scope="col">Set to</th>
      </tr>
    </thead>
    <tbody>
      ${acts.map(
        ({ at, by, words, details }) =>
          html`<tr>
            <th scope="row">${words}</th>
            <td data-label="When">${time(at, now)}</td>
            <td data-label="By">${by}</td>
            ${cell('Set to', details === null ? null : visibleText(details), 'text')}
          </tr>`,
      )}
    </tbody>
  </table>`
}
