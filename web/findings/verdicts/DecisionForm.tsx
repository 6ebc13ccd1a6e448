import type { ReactNode } from 'react'
import type { Decision, NewDecision } from '#contract/findings/verdict.ts'
import { decideFindings } from '#contract/findings/operations.ts'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { useNow } from '../../kit/time/clock.ts'
import { Form } from '../../kit/form/Form.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import {
  dayOf,
  decisionOf,
  draftOf,
  draftProblems,
  type DecisionDraft,
  type DecisionSubject,
} from './decision-draft.ts'
import {
  CommentField,
  JustificationField,
  LastDayField,
  ScopeField,
  VerdictField,
} from './decision-fields.tsx'
import { ExploitedWarning } from './ExploitedWarning.tsx'
import { useUndo } from './use-undo.tsx'

type Props = {
  subject: DecisionSubject
  present: Decision | undefined
  onCancel: () => void
  onDecided: () => void
}

/** Verdict, reason, scope and expiry of a member's decision. */
export function DecisionForm({ subject, present, onCancel, onDecided }: Props): ReactNode {
  const { slug } = useWorkspace()
  const offerUndo = useUndo(slug)
  const today = dayOf(useNow(60_000))
  const form = useSendForm<DecisionDraft, NewDecision>({
    initialValues: draftOf(present),
    validate: (draft) => draftProblems(draft, today),
    inputOf: ({ verdict, ...draft }) =>
      verdict === null ? undefined : decisionOf({ ...draft, verdict }, subject.findingIds),
    send: useAct({
      slug,
      send: (body: NewDecision) => call(decideFindings, { params: { slug }, body }),
      onDone: ({ batch }, { findingIds }) => {
        offerUndo(batch, findingIds.length)
      },
      closes: onDecided,
      settles: true,
    }),
  })
  return (
    <Form state={form.state} verb="Record verdict" onCancel={onCancel} noValidate>
      <ExploitedWarning subject={subject} verdict={form.values.verdict} />
      <VerdictField form={form} />
      {form.values.verdict === 'not_affected' ? <JustificationField form={form} /> : null}
      <CommentField form={form} />
      <ScopeField form={form} subject={subject} />
      <LastDayField form={form} today={today} />
    </Form>
  )
}
