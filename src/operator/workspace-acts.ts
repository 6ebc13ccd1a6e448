import type { FastifyReply } from 'fastify'
import { html } from '../html/html.ts'
import type { Actor } from '../audit/record-acts.ts'
import { ceilingNames, readCeiling, setCeilings, type Ceilings } from '../workspace/ceilings.ts'
import { changePlan, isOperatedPlan, readEnd } from '../workspace/operator/change-plan.ts'
import { pageOperator } from '../workspace/operator/operator-session.ts'
import { selectWorkspaceId, setSuspended, suspensionReasonProblem } from '../workspace/workspaces.ts'
import { confirmProblem, type Problems } from './form-parts.ts'
import type { OperatorForm, Operating } from './operating.ts'
import type { ActName } from './workspace-forms.ts'
import { answerUnknownWorkspace, answerWorkspace } from './workspace-page.ts'

type OnWorkspace = { workspaceId: string; actor: Actor; now: Date }
/** Judges a form: why it is refused, or what it does and what the page then says. */
type Judged = { problems: Problems } | { act: (on: OnWorkspace) => Promise<unknown>; done: string }

/** Judges a form and acts in one transaction; a refused form comes back with what was typed. */
async function actOnWorkspace(
  asked: Operating,
  { name, form }: { name: ActName; form: OperatorForm },
  judge: () => Judged,
): Promise<FastifyReply> {
  const { deps, requestId, slug, reply, now } = asked
  const workspaceId = await selectWorkspaceId(deps.db, slug)
  if (workspaceId === undefined) return answerUnknownWorkspace(asked, slug)
  const judged = judge()
  if ('problems' in judged) {
    const note = html`<p class="note bad" role="alert">
      Nothing was changed. <a href="#${name}-title">See the form</a>, which says why.
    </p>`
    return answerWorkspace(asked, {
      note,
      status: 422,
      again: { [name]: { form, problems: judged.problems } },
    })
  }
  await judged.act({ workspaceId, actor: pageOperator(requestId), now })
  return reply
    .header('cache-control', 'no-store')
    .redirect(`/operator/workspaces/${encodeURIComponent(slug)}?done=${judged.done}`, 303)
}

export function changePlanOfForm(asked: Operating, form: OperatorForm): Promise<FastifyReply> {
  return actOnWorkspace(asked, { name: 'plan', form }, () => {
    const plan = form.get('plan') ?? ''
    if (!isOperatedPlan(plan)) return { problems: { plan: 'Choose a plan.' } }
    const end = readEnd(form.get('until') ?? '', plan, asked.now)
    const problems = {
      ...('refused' in end ? { until: asSentence(end.refused) } : {}),
      ...confirmProblem(form, asked.slug),
    }
    if ('refused' in end || Object.keys(problems).length > 0) return { problems }
    const { until } = end
    return { act: (on) => changePlan(asked.deps.db, { ...on, plan, until }), done: 'plan' }
  })
}

export function suspendWorkspace(asked: Operating, form: OperatorForm): Promise<FastifyReply> {
  return actOnWorkspace(asked, { name: 'suspend', form }, () => {
    const reason = form.get('reason') ?? ''
    const problems = {
      ...(reason === '' ? { reason: 'Say why, in a few words.' } : reasonProblem(reason)),
      ...confirmProblem(form, asked.slug),
    }
    if (Object.keys(problems).length > 0) return { problems }
    return {
      act: (on) => setSuspended(asked.deps.db, { ...on, isSuspended: true, reason }),
      done: 'suspended',
    }
  })
}

export function liftSuspension(asked: Operating, form: OperatorForm): Promise<FastifyReply> {
  return actOnWorkspace(asked, { name: 'lift', form }, () => {
    const reason = form.get('reason') ?? ''
    const problems = reasonProblem(reason)
    if (Object.keys(problems).length > 0) return { problems }
    const given = reason === '' ? {} : { reason }
    return {
      act: (on) => setSuspended(asked.deps.db, { ...on, isSuspended: false, ...given }),
      done: 'lifted',
    }
  })
}

export function changeCeilings(asked: Operating, form: OperatorForm): Promise<FastifyReply> {
  return actOnWorkspace(asked, { name: 'ceilings', form }, () => {
    const ceilings: Partial<Ceilings> = {}
    const problems: Record<string, string> = {}
    for (const name of ceilingNames) {
      const typed = form.get(name)
      // a field that is not there leaves its ceiling as it is
      if (typed === undefined) continue
      const read = readCeiling(name, typed === '' ? 'none' : typed)
      if ('refused' in read) problems[name] = asSentence(read.refused)
      else ceilings[name] = read.max
    }
    if (Object.keys(problems).length > 0) return { problems }
    return { act: (on) => setCeilings(asked.deps.db, { ...on, ceilings }), done: 'ceilings' }
  })
}

function reasonProblem(reason: string): Problems {
  const problem = suspensionReasonProblem(reason)
  return problem === undefined ? {} : { reason: problem }
}

function asSentence(refused: string): string {
  return `${refused.charAt(0).toUpperCase()}${refused.slice(1)}.`
}
