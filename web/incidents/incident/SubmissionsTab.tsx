import { tellRefusal } from '../../kit/api/tell-refusal.ts'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import { Button, Group, Stack, Text, Textarea } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { IncidentDetail, SubmissionRow } from '#contract/incidents/shapes.ts'
import type { SubmissionKind } from '#contract/incidents/words.ts'
import { correctSubmission, getReceipt, waiveReport } from '#contract/incidents/report-operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { reportingRefusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { saveFile } from '../../kit/api/save-file.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { BothTimes } from '../../kit/time/Countdown.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { instantAfter, instantOf, localTime } from '../../kit/time/local-time.ts'
import { TimeField } from '../../kit/form/TimeField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { reportName } from '../words.ts'
import { Card } from '../../kit/page/Card.tsx'
import { Empty } from '../../kit/page/Empty.tsx'
import { FactList, type Fact } from '../../kit/page/Facts.tsx'
import { ZonedTime } from '../../kit/time/Time.tsx'
import { AddReceipt } from './AddReceipt.tsx'
import { DialogButton } from './DialogButton.tsx'
import { SubmitReport } from './SubmitReport.tsx'
import { useIncidentAct } from './use-incident-act.ts'

type Props = { incident: IncidentDetail }

const kindNames: Record<SubmissionKind, string> = {
  submission: '',
  update: 'further report',
  amendment: 'correction of what was filed',
}

/** What was filed, with its evidence; entries are only ever added. */
export function SubmissionsTab({ incident }: Props): ReactNode {
  return (
    <Stack gap="md">
      <Waiver incident={incident} />
      {incident.submissions.length === 0 ? (
        <Empty
          why="Nothing is filed yet."
          next="The service does not file: fill in the draft, copy it into the portal of the authority, and record here that you did."
        />
      ) : (
        incident.submissions.map((submission) => (
          <Submission key={submission.id} incident={incident} submission={submission} />
        ))
      )}
    </Stack>
  )
}

function Submission({ incident, submission }: Props & { submission: SubmissionRow }): ReactNode {
  const { kind } = submission
  const of = incident.reports.find(({ id }) => id === submission.reportId)
  const isLate = of?.status === 'late' && kind === 'submission'
  const words = [kindNames[kind], isLate ? 'late' : ''].filter((word) => word !== '').join(', ')
  return (
    <Card
      title={reportName(submission)}
      aside={words === '' ? undefined : <span className="dimmed">{words}</span>}
    >
      <FactList facts={factsOf(submission, incident.timeZone)} />
      <Group gap="xs" mt="md">
        {submission.receiptName === null ? (
          <AddReceipt incident={incident} submission={submission} />
        ) : (
          <ReceiptButton incident={incident} submission={submission} name={submission.receiptName} />
        )}
        {of === undefined || kind !== 'submission' ? null : (
          <SubmitReport incident={incident} report={of} size="xs" />
        )}
        <CorrectButton incident={incident} submission={submission} />
      </Group>
    </Card>
  )
}

function factsOf(submission: SubmissionRow, timeZone: string): Fact[] {
  const { submittedAt, firstSubmittedAt, channel, authority, reference, delayReason } = submission
  const given = (name: string, value: string | null): Fact[] => (value === null ? [] : [{ name, value }])
  return [
    { name: 'Submitted', value: <BothTimes at={submittedAt} timeZone={timeZone} /> },
    ...(firstSubmittedAt === null
      ? []
      : [{ name: 'First recorded as', value: <BothTimes at={firstSubmittedAt} timeZone={timeZone} /> }]),
    { name: 'How', value: channel },
    ...given('Authority', authority),
    ...given('Reference', reference),
    ...(delayReason === null
      ? []
      : [{ name: 'Why late', value: <ForeignLines>{delayReason}</ForeignLines> }]),
    {
      name: 'Recorded',
      value: (
        <>
          <Foreign>{submission.recordedBy}</Foreign>,{' '}
          <ZonedTime at={submission.recordedAt} timeZone={timeZone} />
        </>
      ),
    },
    ...(submission.beforeApproval
      ? [{ name: 'Note', value: 'filed before the determination was approved' }]
      : []),
    { name: 'Draft', value: submission.hasDraft ? 'kept as it was filed' : 'none' },
  ]
}

type ReceiptProps = Props & { submission: SubmissionRow; name: string }

function ReceiptButton({ incident, submission, name }: ReceiptProps): ReactNode {
  const { slug } = useWorkspace()
  const params = { slug, incident: incident.id, submission: submission.id }
  const save = useAct({ slug, send: () => saveFile(getReceipt, { params }, name) })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconDownload size={15} />}
      loading={save.isPending}
      onClick={() => {
        save.mutate(undefined, { onError: tellRefusal })
      }}
    >
      Receipt
    </Button>
  )
}

function CorrectButton({ incident, submission }: Props & { submission: SubmissionRow }): ReactNode {
  const workspace = useWorkspace()
  return (
    <DialogButton
      verb="Correct the time"
      size="xs"
      variant="subtle"
      refused={reportingRefusal(workspace, correctSubmission.permission)}
    >
      {(close) => <CorrectForm incident={incident} submission={submission} onClose={close} />}
    </DialogButton>
  )
}

type CorrectBody = BodyOf<typeof correctSubmission>
type CorrectProps = Props & { submission: SubmissionRow; onClose: () => void }

function CorrectForm({ incident, submission, onClose }: CorrectProps): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const form = useSendForm({
    initialValues: {
      submittedAt: localTime(submission.submittedAt, timeZone),
      reason: '',
      delayReason: submission.delayReason ?? '',
    },
    inputOf: ({ submittedAt, reason, delayReason }): CorrectBody => ({
      submittedAt: instantAfter(submittedAt, { before: submission.submittedAt, timeZone }) ?? submittedAt,
      reason: reason.trim(),
      ...(delayReason.trim() === '' ? {} : { delayReason: delayReason.trim() }),
    }),
    send: useIncidentAct({
      send: (body: CorrectBody) =>
        call(correctSubmission, { params: { slug, incident: incident.id, submission: submission.id }, body }),
      done: 'The time is corrected.',
      closes: onClose,
    }),
  })
  const due = incident.reports.find(({ id }) => id === submission.reportId)?.dueAt ?? null
  const at = instantOf(form.values.submittedAt, timeZone)
  const isLate =
    submission.kind === 'submission' &&
    submission.delayReason === null &&
    due !== null &&
    at !== undefined &&
    at > due
  return (
    <Form state={form.state} verb="Correct" onCancel={onClose}>
      <Text>
        Only for a typing error. What was recorded first stays on record, and reports that are counted from it
        move.
      </Text>
      <TimeField {...form.getInputProps('submittedAt')} label="Submitted at" timeZone={timeZone} required />
      {isLate ? (
        <Textarea
          {...form.getInputProps('delayReason')}
          label="Why it is late"
          description="At the corrected time it was past its deadline."
          autosize
          minRows={2}
          required
        />
      ) : null}
      <Textarea {...form.getInputProps('reason')} label="Reason" autosize minRows={2} required />
    </Form>
  )
}

/** A breach of personal data without a risk to people is documented, not notified. */
function Waiver({ incident }: Props): ReactNode {
  const workspace = useWorkspace()
  const report = incident.reports.find(
    ({ regime, status, cycle }) =>
      regime === 'gdpr' && cycle === incident.cycle && ['open', 'due_soon', 'overdue'].includes(status),
  )
  if (report === undefined) return null
  return (
    <Group>
      <DialogButton
        verb="GDPR: not notified, no risk to people"
        size="xs"
        variant="default"
        refused={reportingRefusal(workspace, waiveReport.permission)}
      >
        {(close) => <WaiverForm incident={incident} reportId={report.id} onClose={close} />}
      </DialogButton>
    </Group>
  )
}

function WaiverForm({
  incident,
  reportId,
  onClose,
}: Props & { reportId: string; onClose: () => void }): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { reason: '' },
    inputOf: ({ reason }) => ({ reason: reason.trim() }),
    send: useIncidentAct({
      send: (body: { reason: string }) =>
        call(waiveReport, { params: { slug, incident: incident.id, report: reportId }, body }),
      done: 'The notification is not required.',
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Record" onCancel={onClose}>
      <Text>
        The breach stays documented (Art. 33(5)). The controller must be able to show why no risk was likely.
      </Text>
      <Textarea
        {...form.getInputProps('reason')}
        label="Why no risk to people is likely"
        autosize
        minRows={3}
        required
      />
    </Form>
  )
}
