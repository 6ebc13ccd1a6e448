import type { ReactNode } from 'react'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { assignIncident } from '#contract/incidents/act-operations.ts'
import { call } from '../../../kit/api/call.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { Form } from '../../../kit/form/Form.tsx'
import { useSendForm } from '../../../kit/form/use-send-form.ts'
import { AssigneeField } from '../../AssigneeField.tsx'
import { useIncidentAct } from '../use-incident-act.ts'

type FormProps = { incident: IncidentDetail; onClose: () => void }

/** Assigns an incident to somebody, or to nobody. */
export function AssignForm({ incident, onClose }: FormProps): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { person: incident.assignee?.id ?? '' },
    inputOf: ({ person }) => ({ person: person === '' ? null : person }),
    send: useIncidentAct({
      send: (body: { person: string | null }) =>
        call(assignIncident, { params: { slug, incident: incident.id }, body }),
      done: 'The assignee is changed.',
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Assign" onCancel={onClose}>
      <AssigneeField {...form.getInputProps('person')} />
    </Form>
  )
}
