import { Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { InboxReport } from '#contract/disclosure/shapes.ts'
import { incidentLimits } from '#contract/incidents/limits.ts'
import type { IncidentKind } from '#contract/incidents/words.ts'
import { openIncidentFromReport } from '#contract/disclosure/operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { call } from '../kit/api/call.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { ChoiceField } from '../kit/form/ChoiceField.tsx'
import { Form } from '../kit/form/Form.tsx'
import { instantOf, localTime } from '../kit/time/local-time.ts'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { kindChoices } from '../incidents/kind-choices.ts'
import { openingBody, openingErrors, OpeningFields, type TypedOpening } from '../incidents/opening-fields.tsx'

type Props = { report: InboxReport; onClose: () => void }

type Typed = TypedOpening & { awareReason: string }

type Body = BodyOf<typeof openIncidentFromReport>

function useOpenForm({ report, onClose }: Props) {
  const { slug, timeZone } = useWorkspace()
  const navigate = useNavigate()
  const receivedAt = localTime(report.receivedAt, timeZone)
  const form = useSendForm<Typed, Body>({
    initialValues: {
      kind: 'vulnerability',
      title: '',
      vulnerability: '',
      severity: 'high',
      families: report.family === null ? [] : [report.family.id],
      awareAt: receivedAt,
      awareReason: '',
      isAnother: false,
    },
    inputOf: (typed) => bodyOf(typed, { receivedAt, timeZone }),
    send: useAct({
      slug,
      send: (body: Body) =>
        call(openIncidentFromReport, { params: { slug, number: String(report.number) }, body }),
      done: () => 'The incident is open. Its clocks run.',
      closes: async ({ id }) => {
        onClose()
        await navigate(pages.incident(slug, id))
      },
    }),
    errorsOf: openingErrors,
  })
  return { form, receivedAt, timeZone }
}

/** Opens an incident for the report. The member writes the title: no text of the report leaves the inbox. */
export function OpenFromReport({ report, onClose }: Props): ReactNode {
  const { form, receivedAt, timeZone } = useOpenForm({ report, onClose })
  const { values } = form
  return (
    <Form state={form.state} verb="Open incident" onCancel={onClose}>
      <ChoiceField<IncidentKind> {...form.getInputProps('kind')} label="What is it?" choices={kindChoices} />
      <TextInput
        {...form.getInputProps('title')}
        label="Title"
        description="It goes out in alerts: leave out what is confidential, and the reporter’s words."
        required
        maxLength={incidentLimits.titleCharacters}
      />
      {values.kind === 'vulnerability' ? (
        <TextInput
          {...form.getInputProps('vulnerability')}
          label="Vulnerability"
          description="Its CVE, or its EUVD, GHSA or OSV id; empty while it has none."
          maxLength={100}
        />
      ) : null}
      <OpeningFields
        form={form}
        families={report.families}
        timeZone={timeZone}
        awareFrom="When the report arrived."
      />
      {values.awareAt === receivedAt ? null : (
        <Textarea
          {...form.getInputProps('awareReason')}
          label="Why another time"
          description="It is kept on the incident’s timeline."
          required
          autosize
          minRows={2}
        />
      )}
    </Form>
  )
}

/** The time of receipt is left out: the service knows it to the millisecond. */
function bodyOf(typed: Typed, { receivedAt, timeZone }: { receivedAt: string; timeZone: string }): Body {
  const awareAt = typed.awareAt === receivedAt ? undefined : instantOf(typed.awareAt, timeZone)
  return {
    ...openingBody(typed),
    ...(awareAt === undefined ? {} : { awareAt, awareReason: typed.awareReason.trim() }),
  }
}
