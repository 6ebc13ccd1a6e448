import { Button, List, Menu, Text, Textarea } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useDisclosure } from '@mantine/hooks'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import {
  assignIncident,
  changeAwareness,
  changeFacts,
  closeIncident,
  reopenIncident,
} from '#contract/incidents/act-operations.ts'
import { prefillAdvisoryFromIncident } from '#contract/advisories/operations.ts'
import { exportIncident, showEvidence } from '#contract/incidents/report-operations.ts'
import { refusal, reportingRefusal } from '../../workspaces/access.ts'
import { addressOf, call } from '../../kit/api/call.ts'
import { saveFile } from '../../kit/api/save-file.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ActionItem } from '../../kit/actions/ActionButton.tsx'
import { BeginAdvisory } from '../../advisories/BeginAdvisory.tsx'
import { ChoiceField } from '../../kit/form/ChoiceField.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { instantOf, localTime } from '../../kit/time/local-time.ts'
import { TimeField } from '../../kit/form/TimeField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { blockerNames } from '../words.ts'
import { AssignForm } from './AssignForm.tsx'
import { DialogButton } from './DialogButton.tsx'
import { FactsForm } from './FactsForm.tsx'
import { useIncidentAct } from './use-incident-act.ts'

type Props = { incident: IncidentDetail }
type FormProps = Props & { onClose: () => void }
type Dialog = 'assign' | 'facts' | 'awareness'

const titles: Record<Dialog, string> = {
  assign: 'Assign',
  facts: 'Change the facts',
  awareness: 'Change the time of awareness',
}

/** Closing or reopening, and the rest in a menu. */
export function IncidentActions({ incident }: Props): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [isOpen, opened] = useDisclosure(false)
  const params = { slug, incident: incident.id }
  const save = useAct({
    slug,
    send: () => saveFile(exportIncident, { params }, `${incident.reference}-evidence.json`),
  })
  const open = (next: Dialog) => () => {
    setDialog(next)
    opened.open()
  }
  return (
    <>
      <MainActs incident={incident} />
      <Menu>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            More
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <ActionItem refused={refusal(workspace, assignIncident.permission)} onClick={open('assign')}>
            Assign
          </ActionItem>
          <ActionItem refused={reportingRefusal(workspace, changeFacts.permission)} onClick={open('facts')}>
            Change the facts
          </ActionItem>
          <ActionItem
            refused={reportingRefusal(workspace, changeAwareness.permission)}
            onClick={open('awareness')}
          >
            Change the time of awareness
          </ActionItem>
          <Menu.Divider />
          <ActionItem onClick={save.mutate}>Evidence as JSON</ActionItem>
          <Menu.Item component="a" href={addressOf(showEvidence, { params })} target="_blank" rel="noopener">
            Page to print
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <FormModal
        opened={isOpen}
        onClose={opened.close}
        title={dialog === null ? '' : titles[dialog]}
        size={600}
      >
        {dialog === 'assign' ? <AssignForm incident={incident} onClose={opened.close} /> : null}
        {dialog === 'facts' ? <FactsForm incident={incident} onClose={opened.close} /> : null}
        {dialog === 'awareness' ? <AwarenessForm incident={incident} onClose={opened.close} /> : null}
      </FormModal>
    </>
  )
}

function MainActs({ incident }: Props): ReactNode {
  const { slug } = useWorkspace()
  const { id, status } = incident
  return (
    <>
      {status === 'open' ? <CloseButton incident={incident} /> : <ReopenButton incident={incident} />}
      <BeginAdvisory begin={() => call(prefillAdvisoryFromIncident, { params: { slug, incident: id } })} />
    </>
  )
}

function CloseButton({ incident }: Props): ReactNode {
  const workspace = useWorkspace()
  return (
    <DialogButton
      verb="Close"
      title={`Close ${incident.reference}`}
      variant="default"
      refused={refusal(workspace, closeIncident.permission)}
    >
      {(close) =>
        incident.blockers.length > 0 ? (
          <>
            <Text>It cannot be closed yet:</Text>
            <List mt="xs">
              {incident.blockers.map((blocker) => (
                <List.Item key={blocker}>{blockerNames[blocker]}</List.Item>
              ))}
            </List>
          </>
        ) : (
          <CloseForm incident={incident} onClose={close} />
        )
      }
    </DialogButton>
  )
}

function CloseForm({ incident, onClose }: FormProps): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { reason: '' },
    inputOf: ({ reason }) => ({ reason: reason.trim() }),
    send: useIncidentAct({
      send: (body: { reason: string }) =>
        call(closeIncident, { params: { slug, incident: incident.id }, body }),
      done: 'The incident is closed.',
      onDone: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Close incident" onCancel={onClose}>
      <Text>
        A version or component that it was not about opens a new incident. The same ones open nothing. It can
        be reopened.
      </Text>
      <Textarea
        {...form.getInputProps('reason')}
        label="Reason"
        autosize
        minRows={2}
        required
        maxLength={2_000}
      />
    </Form>
  )
}

type Reopening = { reason: string; as: 'same_facts' | 'new_evidence'; awareAt: string }

function ReopenButton({ incident }: Props): ReactNode {
  const workspace = useWorkspace()
  return (
    <DialogButton
      verb="Reopen"
      title={`Reopen ${incident.reference}`}
      refused={refusal(workspace, reopenIncident.permission)}
    >
      {(close) => <ReopenForm incident={incident} onClose={close} />}
    </DialogButton>
  )
}

function ReopenForm({ incident, onClose }: FormProps): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const form = useSendForm<Reopening, Reopening>({
    initialValues: { reason: '', as: 'same_facts', awareAt: localTime(new Date().toISOString(), timeZone) },
    inputOf: (typed) => typed,
    send: useIncidentAct({
      send: ({ reason, as, awareAt }: Reopening) => {
        const at = as === 'new_evidence' ? instantOf(awareAt, timeZone) : undefined
        const body = { reason: reason.trim(), as, ...(at === undefined ? {} : { awareAt: at }) }
        return call(reopenIncident, { params: { slug, incident: incident.id }, body })
      },
      done: 'The incident is open again.',
      onDone: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Reopen" onCancel={onClose}>
      <ChoiceField<Reopening['as']>
        {...form.getInputProps('as')}
        label="Why is it open again?"
        choices={[
          {
            value: 'same_facts',
            label: 'The same facts',
            description:
              'It was closed too early. Its reports return with their times, which may have passed.',
          },
          {
            value: 'new_evidence',
            label: 'New evidence',
            description:
              'Something new became known: a new cycle of reports begins at a new time of awareness.',
          },
        ]}
      />
      {form.values.as === 'new_evidence' ? (
        <TimeField
          {...form.getInputProps('awareAt')}
          label="Aware of it since"
          timeZone={timeZone}
          required
        />
      ) : null}
      <Textarea
        {...form.getInputProps('reason')}
        label="Reason"
        autosize
        minRows={2}
        required
        maxLength={2_000}
      />
    </Form>
  )
}

function AwarenessForm({ incident, onClose }: FormProps): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const form = useSendForm({
    initialValues: { awareAt: localTime(incident.awareAt, timeZone), reason: '' },
    inputOf: ({ awareAt, reason }) => ({
      awareAt: instantOf(awareAt, timeZone) ?? awareAt,
      reason: reason.trim(),
    }),
    send: useIncidentAct({
      send: (body: { awareAt: string; reason: string }) =>
        call(changeAwareness, { params: { slug, incident: incident.id }, body }),
      done: 'The change is recorded.',
      onDone: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Change" onCancel={onClose}>
      <Text>
        Earlier counts at once. Later waits for a second person; until then the deadlines stay as they are.
      </Text>
      <TimeField {...form.getInputProps('awareAt')} label="Aware since" timeZone={timeZone} required />
      <Textarea
        {...form.getInputProps('reason')}
        label="Reason"
        autosize
        minRows={2}
        required
        maxLength={2_000}
      />
    </Form>
  )
}
