import { Textarea, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Approval, AwarenessRow, DeterminationRow, IncidentDetail } from '#contract/incidents/shapes.ts'
import { decideAwareness, decideDetermination } from '#contract/incidents/act-operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { reportingRefusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Form } from '../../kit/form/Form.tsx'
import { fieldErrors, type FieldErrors } from '../../kit/form/field-errors.ts'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { DialogButton } from './DialogButton.tsx'
import { useIncidentAct } from './use-incident-act.ts'

/** What awaits approval: a determination, another time of awareness or the end of a regime. */
export type Waiting = { determination: DeterminationRow } | { change: AwarenessRow }
type Props = { incident: IncidentDetail } & Waiting

type Body = BodyOf<typeof decideDetermination>

/** Approve and reject, by a second person; a sole owner may approve alone. */
export function DecisionButtons({ incident, ...waiting }: Props): ReactNode {
  const workspace = useWorkspace()
  const approval = approvalOf(incident, waiting)
  const refused =
    reportingRefusal(workspace, decideDetermination.permission) ?? approval?.refusal ?? undefined
  if (approval?.override === true) {
    return (
      <DialogButton verb="Approve without second person" size="xs">
        {(close) => <OverrideForm incident={incident} waiting={waiting} onClose={close} />}
      </DialogButton>
    )
  }
  return (
    <>
      <DialogButton verb="Approve" size="xs" refused={refused}>
        {(close) => <DecisionForm incident={incident} waiting={waiting} approve onClose={close} />}
      </DialogButton>
      <DialogButton verb="Reject" size="xs" variant="default" refused={refused}>
        {(close) => <DecisionForm incident={incident} waiting={waiting} approve={false} onClose={close} />}
      </DialogButton>
    </>
  )
}

function approvalOf({ approvals }: IncidentDetail, waiting: Waiting): Approval | null {
  return 'change' in waiting ? approvals.awareness : approvals[waiting.determination.scope]
}

type FormProps = { incident: IncidentDetail; waiting: Waiting; onClose: () => void }

function useDecision({ incident, waiting, onClose }: FormProps, done: string) {
  const { slug } = useWorkspace()
  const place = { slug, incident: incident.id }
  return useIncidentAct({
    send: (body: Body) =>
      'change' in waiting
        ? call(decideAwareness, { params: { ...place, change: waiting.change.id }, body })
        : call(decideDetermination, { params: { ...place, determination: waiting.determination.id }, body }),
    done,
    closes: onClose,
  })
}

function DecisionForm({ approve, ...props }: FormProps & { approve: boolean }): ReactNode {
  const form = useSendForm({
    initialValues: { comment: '' },
    inputOf: ({ comment }): Body => ({
      approve,
      ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
    }),
    send: useDecision(props, approve ? 'It is approved.' : 'It is rejected.'),
  })
  return (
    <Form state={form.state} verb={approve ? 'Approve' : 'Reject'} onCancel={props.onClose}>
      <Text>
        {approve ? consequenceOf(props.waiting) : 'The person who recorded it is told, with your comment.'}
      </Text>
      <Textarea
        {...form.getInputProps('comment')}
        label={approve ? 'Comment (optional)' : 'Why not'}
        autosize
        minRows={2}
        required={!approve}
      />
    </Form>
  )
}

function consequenceOf(waiting: Waiting): string {
  if ('change' in waiting && waiting.change.regime !== null)
    return 'Its reports that are not submitted are no longer required.'
  if ('change' in waiting) return 'Every report that is not submitted is counted again from that time.'
  const ends = ['not_exploited', 'not_affected', 'not_severe', 'dora_not_major'].includes(
    waiting.determination.value,
  )
  return ends
    ? 'The open reports of this regime are then not required. That you approved it stays on record.'
    : 'The decision is then final. The reports stay due.'
}

function OverrideForm(props: FormProps): ReactNode {
  const form = useSendForm({
    initialValues: { reason: '' },
    inputOf: ({ reason }): Body => ({
      approve: true,
      withoutSecondPerson: { reason: reason.trim() },
    }),
    send: useDecision(props, 'It is approved without second person.'),
    errorsOf: overrideErrors,
  })
  return (
    <Form state={form.state} verb="Approve without second person" onCancel={props.onClose}>
      <Text>
        Nobody else in this workspace can approve. Your approval is marked “approved without second person”
        for good, on this page, in the evidence file and in the audit trail.
      </Text>
      <Textarea {...form.getInputProps('reason')} label="Why nobody else can" autosize minRows={2} required />
    </Form>
  )
}

function overrideErrors(error: unknown): FieldErrors {
  return Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([field, words]) => [
      field.replace('withoutSecondPerson.', ''),
      words,
    ]),
  )
}
