import { ActionIcon, Menu, NumberInput, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBan, IconCopy, IconDots, IconEraser, IconInbox } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { InboxReport } from '#contract/disclosure/shapes.ts'
import { eraseReport, markDuplicate, markNotSpam, markSpam } from '#contract/disclosure/operations.ts'
import { tellRefusal } from '../kit/api/tell-refusal.ts'
import { refusal, revokeRefusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ActionButton, ActionItem } from '../kit/actions/ActionButton.tsx'
import { ConfirmModal } from '../kit/form/ConfirmModal.tsx'
import { Form } from '../kit/form/Form.tsx'
import { FormModal } from '../kit/form/FormModal.tsx'
import { useConfirmedAct } from '../kit/form/use-confirmed-act.ts'
import { useSendForm } from '../kit/form/use-send-form.ts'

/** Marks a report as spam or duplicate, or erases it. */
export function ReportActions({ report }: { report: InboxReport }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const params = { slug, number: String(report.number) }
  const refused = refusal(workspace, 'see_inbox')
  const [isMerging, merging] = useDisclosure(false)
  const [isErasing, erasing] = useDisclosure(false)
  const spam = useConfirmedAct({
    send: () => call(markSpam, { params }),
    done: () => `Report #${report.number} is in the Spam tab.`,
  })
  const notSpam = useAct({
    slug,
    send: () => call(markNotSpam, { params }),
    done: () => `Report #${report.number} is in the inbox, and members are told.`,
  })
  if (report.isErased) return null
  const isSpam = report.state === 'spam'
  return (
    <>
      {isSpam ? (
        <ActionButton
          leftSection={<IconInbox size={16} />}
          refused={refused}
          loading={notSpam.isPending}
          onClick={() => {
            notSpam.mutate(undefined, { onError: tellRefusal })
          }}
        >
          Not spam
        </ActionButton>
      ) : null}
      <ReportMenu report={report} onMerge={merging.open} onSpam={spam.ask} onErase={erasing.open} />
      <ConfirmModal
        {...spam.confirmation}
        title={`Mark report #${report.number} as spam?`}
        consequence="It goes to the Spam tab and is deleted there in 30 days, with everything written to it. The reporter is not told."
        verb="Mark as spam"
      />
      <Dialogs
        report={report}
        merging={{ opened: isMerging, onClose: merging.close }}
        erasing={{ opened: isErasing, onClose: erasing.close }}
      />
    </>
  )
}

type MenuProps = { report: InboxReport; onMerge: () => void; onSpam: () => void; onErase: () => void }

function ReportMenu({ report, onMerge, onSpam, onErase }: MenuProps): ReactNode {
  const workspace = useWorkspace()
  const refused = refusal(workspace, 'see_inbox')
  const isSpam = report.state === 'spam'
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for report ${report.number}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {isSpam ? null : (
          <>
            <ActionItem leftSection={<IconCopy size={15} />} refused={refused} onClick={onMerge}>
              Mark as duplicate
            </ActionItem>
            <ActionItem leftSection={<IconBan size={15} />} refused={refused} onClick={onSpam}>
              Mark as spam
            </ActionItem>
          </>
        )}
        <ActionItem
          leftSection={<IconEraser size={15} />}
          refused={revokeRefusal(workspace, 'see_inbox')}
          onClick={onErase}
        >
          Erase what it says
        </ActionItem>
      </Menu.Dropdown>
    </Menu>
  )
}

type Opened = { opened: boolean; onClose: () => void }

function Dialogs(props: { report: InboxReport; merging: Opened; erasing: Opened }): ReactNode {
  const { report, merging, erasing } = props
  return (
    <>
      <FormModal {...merging} title={`Report #${report.number} is a duplicate`}>
        <DuplicateForm report={report} onDone={merging.onClose} />
      </FormModal>
      <FormModal {...erasing} title={`Erase report #${report.number}?`}>
        <EraseForm report={report} onDone={erasing.onClose} />
      </FormModal>
    </>
  )
}

type Dialog = { report: InboxReport; onDone: () => void }

function DuplicateForm({ report, onDone }: Dialog): ReactNode {
  const { slug } = useWorkspace()
  const mark = useAct({
    slug,
    send: (of: number) =>
      call(markDuplicate, { params: { slug, number: String(report.number) }, body: { of } }),
    done: () => `Report #${report.number} is a duplicate.`,
    closes: onDone,
  })
  const form = useSendForm<{ of: number | string }, number>({
    initialValues: { of: '' },
    validate: ({ of }) =>
      typeof of === 'number' ? {} : { of: 'Type the number of the report that came first.' },
    inputOf: ({ of }) => (typeof of === 'number' ? of : undefined),
    send: mark,
  })
  return (
    <Form state={form.state} verb="Mark as duplicate" onCancel={onDone} noValidate>
      <Text>
        Its own duplicates move with it. The reporter sees that it is already known, not whose report it is.
      </Text>
      <NumberInput
        {...form.getInputProps('of')}
        label="Number of the first report"
        min={1}
        allowDecimal={false}
        hideControls
        data-autofocus
      />
    </Form>
  )
}

function EraseForm({ report, onDone }: Dialog): ReactNode {
  const { slug } = useWorkspace()
  const erase = useAct({
    slug,
    send: (confirmNumber: number) =>
      call(eraseReport, { params: { slug, number: String(report.number) }, body: { confirmNumber } }),
    done: () => `What report #${report.number} said has been erased.`,
    closes: onDone,
  })
  const form = useSendForm<{ confirmNumber: number | string }, number>({
    initialValues: { confirmNumber: '' },
    validate: ({ confirmNumber }) =>
      confirmNumber === report.number ? {} : { confirmNumber: `Type ${report.number} to erase it.` },
    inputOf: ({ confirmNumber }) => (typeof confirmNumber === 'number' ? confirmNumber : undefined),
    send: erase,
  })
  return (
    <Form state={form.state} verb="Erase for good" final onCancel={onDone} noValidate>
      <Text>
        Reporter, text, messages, notes, attachments and credit are erased, and the reporter’s link stops
        working. Number, times and states are kept. This cannot be undone.
      </Text>
      <NumberInput
        {...form.getInputProps('confirmNumber')}
        label={`Type the number of the report: ${report.number}`}
        allowDecimal={false}
        hideControls
        data-autofocus
      />
    </Form>
  )
}
