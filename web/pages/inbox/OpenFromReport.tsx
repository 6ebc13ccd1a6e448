import { MultiSelect, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { InboxReport } from '../../../src/contract/disclosure/inbox.ts'
import { visibleText } from '../../../src/contract/hidden-characters.ts'
import type { IncidentKind } from '../../../src/contract/incidents.ts'
import { openIncidentFromReport } from '../../../src/contract/operations/inbox.ts'
import type { BodyOf } from '../../../src/contract/operations/operation.ts'
import { severities } from '../../../src/contract/severities.ts'
import { call } from '../../api/call.ts'
import { useAct } from '../../api/use-act.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { pages } from '../../paths.ts'
import { ChoiceField } from '../../ui/form/ChoiceField.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { instantOf, localTime } from '../../ui/form/local-time.ts'
import { TimeField } from '../../ui/form/TimeField.tsx'
import { useSendForm } from '../../ui/form/use-send-form.ts'
import { kindChoices } from '../../ui/incidents/kind-choices.ts'

type Props = { report: InboxReport; onClose: () => void }

type Typed = {
  kind: IncidentKind
  title: string
  vulnerability: string
  families: string[]
  severity: string
  awareAt: string
  awareReason: string
}

type Body = BodyOf<typeof openIncidentFromReport>

function useOpenForm({ report, onClose }: Props) {
  const { slug, timeZone } = useWorkspace()
  const navigate = useNavigate()
  const receivedAt = localTime(report.receivedAt, timeZone)
  const form = useSendForm<Typed, Body>({
    initialValues: {
      ...{ kind: 'vulnerability', title: '', vulnerability: '', severity: 'high' },
      families: report.family === null ? [] : [report.family.id],
      ...{ awareAt: receivedAt, awareReason: '' },
    },
    inputOf: (typed) => bodyOf(typed, { receivedAt, timeZone }),
    send: useAct({
      slug,
      final: true,
      send: (body: Body) =>
        call(openIncidentFromReport, { params: { slug, number: String(report.number) }, body }),
      done: () => 'The incident is open. Its clocks run.',
      onDone: async ({ id }) => {
        onClose()
        await navigate(pages.incident(slug, id))
      },
    }),
  })
  return { form, receivedAt, timeZone }
}

/** Opens an incident that the report belongs to. The title is the member's: nothing of the report leaves the inbox. */
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
        maxLength={255}
      />
      {values.kind === 'vulnerability' ? (
        <TextInput
          {...form.getInputProps('vulnerability')}
          label="Vulnerability"
          description="Its CVE, or its EUVD, GHSA or OSV id; empty while it has none."
          maxLength={100}
        />
      ) : null}
      <MultiSelect
        {...form.getInputProps('families')}
        label="Product families"
        placeholder={values.families.length === 0 ? 'None yet' : ''}
        data={report.families.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
        searchable
        clearable
      />
      <NativeSelect {...form.getInputProps('severity')} label="Severity" data={[...severities]} />
      <TimeField
        {...form.getInputProps('awareAt')}
        label="Aware since"
        description="When the report came. The clocks are counted from here."
        timeZone={timeZone}
        required
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

/** The time at which the report came is left out: the service knows it to the millisecond. */
function bodyOf(typed: Typed, { receivedAt, timeZone }: { receivedAt: string; timeZone: string }): Body {
  const { kind, title, vulnerability, families } = typed
  const awareAt = typed.awareAt === receivedAt ? undefined : instantOf(typed.awareAt, timeZone)
  const isVulnerability = kind === 'vulnerability' && vulnerability.trim() !== ''
  return {
    ...{ kind, title: title.trim(), families },
    severity: severities.find((one) => one === typed.severity) ?? 'unknown',
    ...(isVulnerability ? { vulnerability: vulnerability.trim() } : {}),
    ...(awareAt === undefined ? {} : { awareAt, awareReason: typed.awareReason.trim() }),
  }
}
