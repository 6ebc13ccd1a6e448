import { FileInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { IncidentDetail, SubmissionRow } from '#contract/incidents/shapes.ts'
import { addReceipt } from '#contract/incidents/report-operations.ts'
import { reportingRefusal } from '../../workspaces/access.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Form } from '../../kit/form/Form.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { sendReceipt } from '../several/file-report.ts'
import { DialogButton } from './DialogButton.tsx'
import { useIncidentAct } from './use-incident-act.ts'

type Props = { incident: IncidentDetail; submission: SubmissionRow }

/** Uploads the receipt of a submission recorded without one. */
export function AddReceipt({ incident, submission }: Props): ReactNode {
  const workspace = useWorkspace()
  return (
    <DialogButton
      verb="Add receipt"
      size="xs"
      variant="default"
      refused={reportingRefusal(workspace, addReceipt.permission)}
    >
      {(close) => <ReceiptForm incident={incident} submission={submission} onClose={close} />}
    </DialogButton>
  )
}

type Typed = { receipt: File | null }

function ReceiptForm({ incident, submission, onClose }: Props & { onClose: () => void }): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm<Typed, File>({
    initialValues: { receipt: null },
    validate: ({ receipt }) => (receipt === null ? { receipt: 'Choose a file.' } : {}),
    inputOf: ({ receipt }) => receipt ?? undefined,
    send: useIncidentAct({
      send: (receipt: File) =>
        sendReceipt({ slug, incident: incident.id, submission: submission.id }, receipt),
      done: 'The receipt is stored.',
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Add receipt" onCancel={onClose}>
      <FileInput
        {...form.getInputProps('receipt')}
        label="Receipt"
        description="What the authority answered. It cannot be replaced afterwards."
        placeholder="Choose a file"
        clearable
        clearButtonProps={{ 'aria-label': 'Remove the file' }}
      />
    </Form>
  )
}
