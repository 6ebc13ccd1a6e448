import type { ReactNode } from 'react'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { reopenIncident } from '#contract/incidents/act-operations.ts'
import { call } from '../../../kit/api/call.ts'
import { ChoiceField } from '../../../kit/form/ChoiceField.tsx'
import { Form } from '../../../kit/form/Form.tsx'
import { TimeField } from '../../../kit/form/TimeField.tsx'
import { useSendForm } from '../../../kit/form/use-send-form.ts'
import { instantOf, localTimeNow } from '../../../kit/time/local-time.ts'
import { refusal } from '../../../workspaces/access.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { DialogButton } from '../DialogButton.tsx'
import { useIncidentAct } from '../use-incident-act.ts'
import { ReasonField } from './ReasonField.tsx'

type Reopening = { reason: string; as: 'same_facts' | 'new_evidence'; awareAt: string }

/** Reopens a closed incident, with its reports or with a new cycle of them. */
export function ReopenIncident({ incident }: { incident: IncidentDetail }): ReactNode {
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

type FormProps = { incident: IncidentDetail; onClose: () => void }

function ReopenForm({ incident, onClose }: FormProps): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const form = useSendForm<Reopening, Reopening>({
    initialValues: { reason: '', as: 'same_facts', awareAt: localTimeNow(timeZone) },
    inputOf: (typed) => typed,
    send: useIncidentAct({
      send: ({ reason, as, awareAt }: Reopening) => {
        const at = as === 'new_evidence' ? instantOf(awareAt, timeZone) : undefined
        const body = { reason: reason.trim(), as, ...(at === undefined ? {} : { awareAt: at }) }
        return call(reopenIncident, { params: { slug, incident: incident.id }, body })
      },
      done: 'The incident is open again.',
      closes: onClose,
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
      <ReasonField {...form.getInputProps('reason')} />
    </Form>
  )
}
