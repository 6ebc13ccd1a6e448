import type { ReactNode } from 'react'
import type { IncidentDetail, ReportSummary } from '#contract/incidents/shapes.ts'
import type { BulkResult } from '#contract/incidents/bulk-result.ts'
import type { SameReport } from '#contract/incidents/waiting.ts'
import { copyDrafts } from '#contract/incidents/report-operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import type { Refusal } from '../../kit/actions/ActionButton.tsx'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Form } from '../../kit/form/Form.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { ZonedTime } from '../../kit/time/Time.tsx'
import { DialogButton } from '../incident/DialogButton.tsx'
import { useTellOutcome } from '../several/outcome.ts'
import { SameReports } from '../several/SameReports.tsx'
import { useSameReports } from '../several/use-same-reports.ts'

type Props = { incident: IncidentDetail; report: ReportSummary }

/** Copies this draft to the same report of other incidents on the vulnerability, in one act. */
export function CopyTo({ incident, report, refused }: Props & { refused: Refusal }): ReactNode {
  const same = useSameReports({ incident, report }).filter(({ submittedAt }) => submittedAt === null)
  if (same.length === 0) return null
  return (
    <DialogButton
      size="xs"
      variant="default"
      verb="Copy to others"
      title="Copy this draft to other incidents"
      refused={refused}
    >
      {(close) => <CopyForm incident={incident} report={report} same={same} onClose={close} />}
    </DialogButton>
  )
}

type FormProps = Props & { same: readonly SameReport[]; onClose: () => void }

function CopyForm({ incident, report: { regime, report }, same, onClose }: FormProps): ReactNode {
  const { slug } = useWorkspace()
  const tell = useTellOutcome()
  const form = useSendForm({
    initialValues: {
      incidents: same.filter(({ revision }) => revision === 0).map((one) => one.incident.id),
    },
    validate: ({ incidents }) => (incidents.length === 0 ? { incidents: 'Choose at least one.' } : {}),
    inputOf: ({ incidents }): BodyOf<typeof copyDrafts> => ({
      from: incident.id,
      regime,
      report,
      incidents: same
        .filter((one) => incidents.includes(one.incident.id))
        .map((one) => ({ incident: one.incident.id, revision: one.revision })),
    }),
    send: useAct<BodyOf<typeof copyDrafts>, BulkResult>({
      slug,
      send: (body) => call(copyDrafts, { params: { slug }, body }),
      onDone: (result) => {
        const isDone = ({ incident: { id } }: SameReport) => result.done.includes(id)
        tell({ ...result, references: same.filter(isDone).map((one) => one.incident.reference) })
      },
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Copy" onCancel={onClose}>
      <SameReports
        {...form.getInputProps('incidents')}
        label="Copy to"
        description="Each incident keeps its own products, components and times."
        reports={same}
        aboutOf={draftOf}
      />
    </Form>
  )
}

function draftOf({ savedAt, savedBy }: SameReport): ReactNode {
  if (savedAt === null) return 'nothing is saved yet'
  return (
    <>
      replaces what <Foreign>{savedBy ?? ''}</Foreign> saved <ZonedTime at={savedAt} />
    </>
  )
}
