import { plans } from '../contract/workspace/plans.ts'
import { attributes, html, type Html } from '../html/html.ts'
import type { OperatedWorkspace } from '../views/operation/list-workspaces.ts'
import { reportLimits } from '../contract/disclosure/shapes.ts'
import { ceilingNames, type Ceiling } from '../workspace/ceilings.ts'
import type { OperatedPlan } from '../workspace/operator/change-plan.ts'
import { confirmField, textField, untouched, type Again } from './form-parts.ts'
import { formField } from './page-frame.ts'
import { bytesInWords, count } from './words.ts'

/** What can be done to a workspace, each by a form of its own. */
export type ActName = 'plan' | 'suspend' | 'lift' | 'ceilings'
/** The form that was refused. */
export type AgainOf = Partial<Record<ActName, Again>>

type Given = { again: AgainOf; formToken: string }

export function actForms(workspace: OperatedWorkspace, given: Given): Html {
  const { state } = workspace
  return html`<div class="acts">
    ${planForm(workspace, given)} ${ceilingsForm(workspace, given)}
    ${state === 'suspended' ? liftForm(workspace, given) : state === 'closed' ? null : suspendForm(workspace, given)}
  </div>`
}

type Section = { title: string; act: ActName; slug: string; formToken: string; content: Html }

function section({ title, act, slug, formToken, content }: Section): Html {
  return html`<section class="act" aria-labelledby="${act}-title">
    <h2 id="${act}-title">${title}</h2>
    <form class="act" method="post" action="/operator/workspaces/${slug}/${act}" novalidate>
      ${formField(formToken)} ${content}
    </form>
  </section>`
}

const planWords: Record<OperatedPlan, string> = {
  trial: 'trial: everything, 30 days unless an end is given',
  starter: 'starter: everything but alert destinations',
  core: 'core: everything',
  plus: 'plus: everything',
  free: 'free: read-only',
  closed: 'closed: read-only, for owners only',
}

function planForm({ slug, plan, state }: OperatedWorkspace, { again, formToken }: Given): Html {
  const shown = again.plan ?? untouched
  const chosen = shown.form.get('plan') ?? (state === 'closed' ? 'closed' : plan)
  const options = [...plans, 'closed' as const].map(
    (name) =>
      html`<option ${attributes({ value: name, selected: name === chosen })}>${planWords[name]}</option>`,
  )
  const problem = shown.problems['plan']
  const content = html`<p class="hint">
      On <b>free</b> uploads are refused, and nothing is matched or posted; incidents can be decided and
      filed. <b>Closed</b> stops deadlines, the report form and security.txt too, and shows the pages to
      owners only. Published advisories stay. On <b>starter</b> nothing is posted to alert destinations. Any
      plan reopens a closed workspace.
    </p>
    <label for="plan-plan">Plan</label>
    <select
      id="plan-plan"
      name="plan"
      ${attributes({ 'aria-describedby': problem === undefined ? null : 'plan-plan-error' })}
    >
      ${options}
    </select>
    ${problem === undefined ? null : html`<p class="error" id="plan-plan-error">${problem}</p>`}
    ${textField(
      {
        id: 'plan-until',
        name: 'until',
        label: 'Ends',
        placeholder: '2027-12-31',
        hint: 'A day, which it includes, or a moment in UTC. Empty: no end, or 30 days of trial.',
      },
      shown,
    )}
    ${confirmField('plan-confirm', slug, shown)}
    <button>Set plan</button>`
  return section({ title: 'Plan', act: 'plan', slug, formToken, content })
}

function suspendForm({ slug }: OperatedWorkspace, { again, formToken }: Given): Html {
  const shown = again.suspend ?? untouched
  const content = html`<p class="hint">
      Stops at once, whatever the plan: uploads are refused with 402 and say why, nothing is matched, no alert
      is posted, and nothing can be edited. Incidents can be decided and filed, and what is published stays.
      You can lift it at any time.
    </p>
    ${textField(
      {
        id: 'suspend-reason',
        name: 'reason',
        label: 'Reason',
        hint: 'The workspace reads it in its audit trail.',
      },
      shown,
    )}
    ${confirmField('suspend-confirm', slug, shown)}
    <button class="bad">Suspend ${slug}</button>`
  return section({ title: 'Suspend', act: 'suspend', slug, formToken, content })
}

function liftForm({ slug }: OperatedWorkspace, { again, formToken }: Given): Html {
  const content = html`<p class="hint">
      The workspace is again what its plan allows. What was missed is matched; what became known meanwhile
      opens incidents whose awareness time is now.
    </p>
    ${textField(
      {
        id: 'lift-reason',
        name: 'reason',
        label: 'Reason (optional)',
        hint: 'The workspace reads it in its audit trail.',
      },
      again.lift ?? untouched,
    )}
    <button>Lift the suspension</button>`
  return section({ title: 'Lift the suspension', act: 'lift', slug, formToken, content })
}

const ceilingLabels: Record<Ceiling, string> = {
  families: 'Product families',
  sboms: 'SBOMs',
  bytes: 'Bytes of documents, inflated',
  files: 'Bytes of files of reports',
}

function ceilingsForm(workspace: OperatedWorkspace, { again, formToken }: Given): Html {
  const { slug, ceilings, bytes, families, fileBytes } = workspace
  const shown = again.ceilings ?? untouched
  const held: Record<Ceiling, string | undefined> = {
    families: `Now ${count(families)}.`,
    sboms: undefined,
    bytes: `Now ${count(bytes)} (${bytesInWords(bytes)}).`,
    files: `Now ${count(fileBytes)} (${bytesInWords(fileBytes)}). Empty: ${bytesInWords(reportLimits.workspaceBytes)}.`,
  }
  const content = html`<p class="hint">
      Empty: no ceiling. What it holds stays. Beyond a ceiling uploads are refused with 402, new families with
      409, and both say which ceiling it is. The report form then takes reports without files.
    </p>
    ${ceilingNames.map((name) => {
      const hint = held[name]
      const field = {
        id: `ceilings-${name}`,
        name,
        label: ceilingLabels[name],
        inputmode: 'numeric' as const,
        value: ceilings[name] === null ? '' : String(ceilings[name]),
      }
      return textField(hint === undefined ? field : { ...field, hint }, shown)
    })}
    <button>Set ceilings</button>`
  return section({ title: 'Ceilings', act: 'ceilings', slug, formToken, content })
}
