import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core'
import { useState, type ReactNode, type SubmitEvent } from 'react'
import { decisionLimits, type Decision, type NewDecision } from '../../../src/contract/verdict.ts'
import { decideFindings } from '../../../src/contract/operations/findings.ts'
import { call } from '../../api/call.ts'
import { useAct } from '../../api/use-act.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { useNow } from '../../ui/clock.ts'
import { fieldErrors, formError } from '../../ui/field-errors.ts'
import { Problem } from '../../ui/Problem.tsx'
import {
  dayOf,
  decisionOf,
  draftOf,
  draftProblems,
  type DecisionDraft,
  type DecisionSubject,
} from './decision-draft.ts'
import { ExploitedWarning } from './ExploitedWarning.tsx'
import { useUndo } from './use-undo.tsx'
import { JustificationField, ScopeField, VerdictField } from './decision-fields.tsx'

type Props = {
  subject: DecisionSubject
  present: Decision | undefined
  onCancel: () => void
  onDecided: () => void
}

const shownFields = ['verdict', 'justification', 'comment', 'expiresAt']

/** Verdict, reason, scope and end of a member's decision. */
export function DecisionForm({ subject, present, onCancel, onDecided }: Props): ReactNode {
  const { slug } = useWorkspace()
  const offerUndo = useUndo(slug)
  const today = dayOf(useNow(60_000))
  const [draft, setDraft] = useState(() => draftOf(present))
  const [isTried, setTried] = useState(false)
  const decide = useAct({
    slug,
    final: true,
    send: (body: NewDecision) => call(decideFindings, { params: { slug }, body }),
    onDone: ({ batch }, { findingIds }) => {
      offerUndo(batch, findingIds.length)
      onDecided()
    },
    settles: true,
  })
  const problems = isTried ? draftProblems(draft, today) : {}
  const errors = { ...fieldErrors(decide.error), ...problems }
  const refused = formError(decide.error, shownFields)
  const change = (next: Partial<DecisionDraft>) => {
    setDraft({ ...draft, ...next })
  }

  function submit(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault()
    setTried(true)
    const { verdict } = draft
    if (verdict === null || Object.keys(draftProblems(draft, today)).length > 0) return
    decide.mutate(decisionOf({ ...draft, verdict }, subject.findingIds))
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {refused === undefined ? null : <Problem error={refused} />}
        <ExploitedWarning subject={subject} verdict={draft.verdict} />
        <VerdictField
          value={draft.verdict}
          error={errors['verdict']}
          onChange={(verdict) => {
            change({ verdict })
          }}
        />
        {draft.verdict === 'not_affected' ? (
          <JustificationField
            value={draft.justification}
            error={errors['justification']}
            onChange={(justification) => {
              change({ justification })
            }}
          />
        ) : null}
        <Textarea
          label="Comment"
          description="What you looked at, and why. It is kept with the verdict and goes into exports."
          value={draft.comment}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={decisionLimits.commentCharacters}
          error={errors['comment']}
          onChange={(event) => {
            change({ comment: event.currentTarget.value })
          }}
        />
        <ScopeField
          subject={subject}
          everyVersion={draft.everyVersion}
          onChange={(everyVersion) => {
            change({ everyVersion })
          }}
        />
        <TextInput
          type="date"
          label="Holds until"
          description="The last day. Leave it empty for no end; afterwards the finding is as it was before."
          value={draft.lastDay}
          min={today}
          error={errors['expiresAt']}
          onChange={(event) => {
            change({ lastDay: event.currentTarget.value })
          }}
          maw={220}
          styles={{ description: { width: 'max-content', maxWidth: 'min(540px, 80vw)' } }}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={decide.isPending}>
            Record verdict
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
