import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { changeAwareness } from '#contract/incidents/act-operations.ts'
import { call } from '../../../kit/api/call.ts'
import { Form } from '../../../kit/form/Form.tsx'
import { BothTimes } from '../../../kit/time/Countdown.tsx'
import { TimeField } from '../../../kit/form/TimeField.tsx'
import { useSendForm } from '../../../kit/form/use-send-form.ts'
import { instantAfter, localTime } from '../../../kit/time/local-time.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { useIncidentAct } from '../use-incident-act.ts'
import { ReasonField } from './ReasonField.tsx'

type Props = { incident: IncidentDetail; onClose: () => void }

/** Corrects the time of awareness. */
export function AwarenessForm({ incident, onClose }: Props): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const form = useSendForm({
    initialValues: { awareAt: localTime(incident.awareAt, timeZone), reason: '' },
    inputOf: ({ awareAt, reason }) => ({
      awareAt: instantAfter(awareAt, { before: incident.awareAt, timeZone }) ?? awareAt,
      reason: reason.trim(),
    }),
    send: useIncidentAct({
      send: (body: { awareAt: string; reason: string }) =>
        call(changeAwareness, { params: { slug, incident: incident.id }, body }),
      done: 'The change is recorded.',
      closes: onClose,
    }),
  })
  const waiting = incident.awareness.find(({ state, regime }) => state === 'pending' && regime === null)
  return (
    <Form state={form.state} verb="Change" onCancel={onClose}>
      <Text>
        An earlier time counts at once. A later one, or one that moves a deadline later, waits for a second
        person; until then the deadlines stay as they are.
      </Text>
      {waiting === undefined ? null : (
        <Text>
          <BothTimes at={waiting.to} timeZone={incident.timeZone} inText /> waits for a second person. An
          earlier time that counts at once ends it; another one that has to wait is refused.
        </Text>
      )}
      <TimeField {...form.getInputProps('awareAt')} label="Aware since" timeZone={timeZone} required />
      <ReasonField {...form.getInputProps('reason')} />
    </Form>
  )
}
