import { Checkbox, FileInput, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { stageNames } from '#contract/incidents/incident-names.ts'
import { incidentLimits } from '#contract/incidents/limits.ts'
import type { IncidentDetail, ReportSummary } from '#contract/incidents/shapes.ts'
import type { SubmissionKind } from '#contract/incidents/words.ts'
import type { SameReport } from '#contract/incidents/waiting.ts'
import { recordSubmission } from '#contract/incidents/report-operations.ts'
import { reportingRefusal } from '../../workspaces/access.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { fieldErrors, type FieldErrors } from '../../kit/form/field-errors.ts'
import { Form } from '../../kit/form/Form.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { instantOf, localTimeNow } from '../../kit/time/local-time.ts'
import { TimeField } from '../../kit/form/TimeField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { reportName } from '../words.ts'
import { shownLabels, shownTexts } from '../drafts/use-draft-text.ts'
import { fileReport, type Filing } from '../several/file-report.ts'
import { useTellOutcome } from '../several/outcome.ts'
import { dueOf, SameReports } from '../several/SameReports.tsx'
import { useSameToFile } from '../several/use-same-reports.ts'

type Props = { incident: IncidentDetail; report: ReportSummary }

/** Records what was filed on the authority's portal. It waits for no approval. */
export function SubmitReport({
  incident,
  report,
  size = 'compact-xs',
}: Props & { size?: 'xs' | 'compact-xs' }): ReactNode {
  const workspace = useWorkspace()
  const [isOpen, dialog] = useDisclosure(false)
  const isFiled = report.submittedAt !== null
  const verb = isFiled ? 'Record another' : 'Record submission'
  return (
    <>
      <ActionButton
        size={size}
        variant={isFiled || report.status === 'waiting' ? 'default' : 'filled'}
        refused={reportingRefusal(workspace, recordSubmission.permission)}
        onClick={dialog.open}
        aria-label={`${verb}, ${reportName(report)}`}
      >
        {verb}
      </ActionButton>
      <FormModal
        opened={isOpen}
        onClose={dialog.close}
        title={`${reportName(report)} of ${incident.reference}`}
        size={600}
      >
        <SubmitForm incident={incident} report={report} onClose={dialog.close} />
      </FormModal>
    </>
  )
}

type Typed = {
  kind: SubmissionKind
  submittedAt: string
  channel: string
  authority: string
  reference: string
  delayReason: string
  alsoCovers: string[]
  /** Other incidents covered by the submission. */
  incidents: string[]
  receipt: File | null
}
type FormProps = Props & { onClose: () => void }

const kindChoices = [
  { value: 'amendment', label: 'A correction of what was filed' },
  { value: 'update', label: 'A further report on the same stage' },
]

function useSubmitForm({ incident, report, onClose, same }: FormProps & { same: readonly SameReport[] }) {
  const { slug, timeZone } = useWorkspace()
  const tell = useTellOutcome()
  const isFiled = report.submittedAt !== null
  const regime = incident.regimes.find((one) => one.regime === report.regime)
  return useSendForm<Typed, Typed>({
    initialValues: {
      kind: isFiled ? 'amendment' : 'submission',
      submittedAt: localTimeNow(timeZone),
      channel: 'Portal of the authority',
      authority: regime?.authority?.name ?? '',
      reference: '',
      delayReason: '',
      alsoCovers: [],
      incidents: [],
      receipt: null,
    },
    inputOf: (typed) => typed,
    errorsOf: namedErrors,
    send: useAct({
      slug,
      send: (typed: Typed) => {
        const { alsoCovers, incidents, receipt } = typed
        const others = same.filter(({ incident: { id } }) => incidents.includes(id))
        const texts = shownTexts([report.id, ...alsoCovers, ...others.map(({ id }) => id)])
        return fileReport(
          { incident, report, others },
          { ...bodyOf(typed, timeZone), texts },
          { slug, alsoCovers, receipt },
        )
      },
      done: ({ incidents }) => (incidents.length === 0 ? 'The submission is recorded.' : undefined),
      onDone: (outcome) => {
        if (outcome !== undefined) tell(outcome)
      },
      closes: onClose,
    }),
  })
}

/** What is refused of the draft's text, by the name of its field. */
function namedErrors(error: unknown): FieldErrors {
  const labels = shownLabels()
  return Object.fromEntries(
    Object.entries(fieldErrors(error)).map(([field, words]) => [labels[field] ?? field, words]),
  )
}

function SubmitForm({ incident, report, onClose }: FormProps): ReactNode {
  const { timeZone } = useWorkspace()
  const isFiled = report.submittedAt !== null
  const same = useSameToFile({ incident, report })
  const form = useSubmitForm({ incident, report, onClose, same })
  const isLate = isFiledLate({ incident, report, same }, form.values, timeZone)
  return (
    <Form state={form.state} verb="Record submission" onCancel={onClose}>
      {isFiled ? (
        <NativeSelect {...form.getInputProps('kind')} label="What is it?" data={kindChoices} />
      ) : null}
      <TimeField
        {...form.getInputProps('submittedAt')}
        label="Submitted at"
        description="When the authority got it, not when it is recorded here."
        timeZone={timeZone}
        required
      />
      {isLate ? (
        <Textarea
          {...form.getInputProps('delayReason')}
          label="Why it is late"
          description="Part of the record for good."
          autosize
          minRows={2}
          required
        />
      ) : null}
      <FiledWhere getInputProps={form.getInputProps} />
      <FileInput
        {...form.getInputProps('receipt')}
        label="Receipt"
        description="What the authority answered; kept with the submission."
        placeholder="Choose a file"
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the file' }}
      />
      <AlsoCovers incident={incident} report={report} getInputProps={form.getInputProps} />
      <SameReports
        {...form.getInputProps('incidents')}
        label="Also filed for"
        description="Other open incidents on the vulnerability. Each keeps its own record and the text of its own draft."
        reports={same}
        aboutOf={dueOf}
      />
      <Text c="dimmed">What the draft says at this moment is kept with the submission, saved or not.</Text>
    </Form>
  )
}

/** A first submission, later than any of the deadlines it covers. */
function isFiledLate(
  { incident, report, same }: Props & { same: readonly SameReport[] },
  { submittedAt, alsoCovers, incidents }: Typed,
  timeZone: string,
): boolean {
  const at = instantOf(submittedAt, timeZone)
  if (report.submittedAt !== null || at === undefined) return false
  const covered = incident.reports.filter(({ id }) => alsoCovers.includes(id))
  const others = same.filter((one) => incidents.includes(one.incident.id))
  return [report, ...covered, ...others].some(({ dueAt }) => dueAt !== null && at > dueAt)
}

type WhereProps = { getInputProps: (name: 'channel' | 'authority' | 'reference') => object }

function FiledWhere({ getInputProps }: WhereProps): ReactNode {
  const { channelCharacters, nameCharacters } = incidentLimits
  return (
    <>
      <TextInput
        {...getInputProps('channel')}
        label="How it was filed"
        required
        maxLength={channelCharacters}
      />
      <TextInput {...getInputProps('authority')} label="Authority" maxLength={nameCharacters} />
      <TextInput
        {...getInputProps('reference')}
        label="Reference of the authority"
        description="From its receipt."
        maxLength={nameCharacters}
      />
    </>
  )
}

type CoverProps = Props & { getInputProps: (name: 'alsoCovers') => object }

/** Other reports of the regime covered by the submission. */
function AlsoCovers({ incident, report, getInputProps }: CoverProps): ReactNode {
  const others = incident.reports.filter(
    ({ id, regime, cycle, submittedAt, status }) =>
      id !== report.id &&
      regime === report.regime &&
      cycle === report.cycle &&
      submittedAt === null &&
      status !== 'not_required',
  )
  if (others.length === 0 || report.submittedAt !== null) return null
  return (
    <Checkbox.Group {...getInputProps('alsoCovers')} label="It also covers">
      <Stack gap={6} mt={6}>
        {others.map(({ id, report: stage }) => (
          <Checkbox key={id} value={id} label={stageNames[stage]} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

function bodyOf(typed: Typed, timeZone: string): Filing {
  const { kind, submittedAt, channel } = typed
  const given = (name: 'authority' | 'reference' | 'delayReason') =>
    typed[name].trim() === '' ? {} : { [name]: typed[name].trim() }
  return {
    kind,
    submittedAt: instantOf(submittedAt, timeZone) ?? submittedAt,
    channel: channel.trim(),
    ...given('authority'),
    ...given('reference'),
    ...given('delayReason'),
  }
}
