import { List, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { closeIncident } from '#contract/incidents/act-operations.ts'
import { call } from '../../../kit/api/call.ts'
import { Form } from '../../../kit/form/Form.tsx'
import { useSendForm } from '../../../kit/form/use-send-form.ts'
import { refusal } from '../../../workspaces/access.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { blockerNames } from '../../words.ts'
import { DialogButton } from '../DialogButton.tsx'
import { useIncidentAct } from '../use-incident-act.ts'
import { ReasonField } from './ReasonField.tsx'

/** Closes an incident, or says what must be done first. */
export function CloseIncident({ incident }: { incident: IncidentDetail }): ReactNode {
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

type FormProps = { incident: IncidentDetail; onClose: () => void }

function CloseForm({ incident, onClose }: FormProps): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { reason: '' },
    inputOf: ({ reason }) => ({ reason: reason.trim() }),
    send: useIncidentAct({
      send: (body: { reason: string }) =>
        call(closeIncident, { params: { slug, incident: incident.id }, body }),
      done: 'The incident is closed.',
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Close incident" onCancel={onClose}>
      <Text>
        A version or component that it was not about opens a new incident; the same ones do not. It can be
        reopened.
      </Text>
      <ReasonField {...form.getInputProps('reason')} />
    </Form>
  )
}
