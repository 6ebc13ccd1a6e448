import { visibleText } from '#contract/hidden-characters.ts'
import type { FindingDetail } from '#contract/findings/shapes.ts'
import type { Decision } from '#contract/findings/verdict.ts'
import { verdictLooks } from '../verdict.ts'

type Judged = Pick<FindingDetail, 'title' | 'decisions' | 'statements'>

/** What revoking a decision changes, for the confirmation dialog. */
export function afterRevoking(decision: Decision, { title, decisions, statements }: Judged): string {
  const reach = decision.everyVersion ? ' on every version of the family' : ''
  return `The verdict “${verdictLooks[decision.verdict].word.toLowerCase()}” on ${visibleText(title)} ends now${reach}. ${next(decision, decisions, statements)} The decision is kept in the history.`
}

function next(decision: Decision, decisions: Judged['decisions'], statements: Judged['statements']): string {
  const wider = decisions.find(({ id, state }) => state === 'in_force' && id !== decision.id)
  if (wider !== undefined)
    return `Then ${visibleText(wider.decidedBy)}’s decision “${verdictLooks[wider.verdict].word.toLowerCase()}” applies.`
  const strongest = statements[0]
  if (strongest !== undefined)
    return `Then “${verdictLooks[strongest.verdict].word.toLowerCase()}” applies, as stated in an uploaded document.`
  return 'The finding is undecided again and counts as open.'
}
