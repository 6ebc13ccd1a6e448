import { MultiSelect, NativeSelect, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { memberStates } from '#contract/incidents/member-states.ts'
import { incidentLimits } from '#contract/incidents/limits.ts'
import type { IncidentDetail } from '#contract/incidents/shapes.ts'
import { changeFacts } from '#contract/incidents/act-operations.ts'
import { getIncident } from '#contract/incidents/operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { severities } from '#contract/severities.ts'
import { call } from '../../../kit/api/call.ts'
import { useLatest } from '../../../kit/api/use-latest.ts'
import { severityChoices } from '../../../findings/severity.ts'
import { useWorkspace } from '../../../workspaces/use-workspace.ts'
import { Form } from '../../../kit/form/Form.tsx'
import { instantOf, localTime } from '../../../kit/time/local-time.ts'
import { TimeField } from '../../../kit/form/TimeField.tsx'
import { useSendForm } from '../../../kit/form/use-send-form.ts'
import { useIncidentAct } from '../use-incident-act.ts'

type Props = { incident: IncidentDetail; onClose: () => void }
type Typed = {
  title: string
  severity: string
  occurredAt: string
  measureAvailableAt: string
  memberStates: string[]
}
type Body = BodyOf<typeof changeFacts>

/** Facts the reports are built from; the time a measure became available starts the clock of the final report. */
export function FactsForm({ incident, onClose }: Props): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const shown = (facts: IncidentDetail) => typedOf(facts, timeZone)
  const form = useSendForm<Typed, Body>({
    initialValues: shown(incident),
    latest: useLatest(getIncident, { params: { slug, incident: incident.id } }, shown),
    inputOf: (typed, stored) => changesIn(stored, typed, timeZone),
    send: useIncidentAct({
      send: (body: Body) => call(changeFacts, { params: { slug, incident: incident.id }, body }),
      done: 'The facts are changed.',
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Save" onCancel={onClose}>
      <TextInput
        {...form.getInputProps('title')}
        label="Title"
        required
        maxLength={incidentLimits.titleCharacters}
      />
      <NativeSelect {...form.getInputProps('severity')} label="Severity" data={severityChoices} />
      <TimeField
        {...form.getInputProps('measureAvailableAt')}
        label="Fix or mitigation available since"
        description="A corrective or mitigating measure, yours or the component’s."
        timeZone={timeZone}
      />
      <TimeField {...form.getInputProps('occurredAt')} label="Occurred at" timeZone={timeZone} />
      <MultiSelect
        {...form.getInputProps('memberStates')}
        label="Available in"
        description="Member States in which the product is available."
        data={Object.entries(memberStates).map(([value, label]) => ({ value, label }))}
        searchable
        clearable
      />
    </Form>
  )
}

function typedOf(incident: IncidentDetail, timeZone: string): Typed {
  const { title, severity, occurredAt, measureAvailableAt } = incident
  const local = (at: string | null) => (at === null ? '' : localTime(at, timeZone))
  return {
    title,
    severity,
    occurredAt: local(occurredAt),
    measureAvailableAt: local(measureAvailableAt),
    memberStates: incident.memberStates,
  }
}

/** The changes only: untouched fields keep their exact value. */
function changesIn(before: Typed, typed: Typed, timeZone: string): Body {
  const time = (local: string) => (local === '' ? null : (instantOf(local, timeZone) ?? local))
  const severity = severities.find((one) => one === typed.severity)
  return {
    ...(typed.title === before.title ? {} : { title: typed.title.trim() }),
    ...(typed.severity === before.severity || severity === undefined ? {} : { severity }),
    ...(typed.occurredAt === before.occurredAt ? {} : { occurredAt: time(typed.occurredAt) }),
    ...(typed.measureAvailableAt === before.measureAvailableAt
      ? {}
      : { measureAvailableAt: time(typed.measureAvailableAt) }),
    ...(typed.memberStates.join() === before.memberStates.join() ? {} : { memberStates: typed.memberStates }),
  }
}
