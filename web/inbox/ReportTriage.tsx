import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { InboxReport, ReportState } from '#contract/disclosure/shapes.ts'
import { visibleText } from '#contract/hidden-characters.ts'
import { changeReport, getInboxReport, moveReport } from '#contract/disclosure/operations.ts'
import { refusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useLatest } from '../kit/api/use-latest.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { Form } from '../kit/form/Form.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { Card } from '../kit/page/Card.tsx'
import { Problem } from '../kit/page/Problem.tsx'
import { moveVerbs, stateLooks } from './report-words.tsx'

/** The next state of the report, its family, and its embargo. */
export function ReportTriage({ report }: { report: InboxReport }): ReactNode {
  const workspace = useWorkspace()
  const refused = refusal(workspace, 'see_inbox')
  if (report.isErased || refused !== undefined) return null
  return (
    <Card title="Triage">
      <Stack gap="lg">
        <Moves report={report} />
        <FactsForm report={report} />
      </Stack>
    </Card>
  )
}

function Moves({ report }: { report: InboxReport }): ReactNode {
  const { slug } = useWorkspace()
  const move = useAct({
    slug,
    send: (to: ReportState) =>
      call(moveReport, { params: { slug, number: String(report.number) }, body: { from: report.state, to } }),
    done: (to) => `Report #${report.number} is ${stateLooks[to].word}.`,
  })
  if (report.next.length === 0) {
    const words =
      report.state === 'spam'
        ? 'Mark it as not spam first.'
        : 'Answer the reporter to acknowledge it; then its state can change.'
    return <Text c="dimmed">{words}</Text>
  }
  return (
    <div>
      <Problem error={move.error} />
      <Group gap="xs">
        {report.next.map((to) => (
          <Button
            key={to}
            variant="default"
            disabled={move.isPending}
            onClick={() => {
              move.mutate(to)
            }}
          >
            {moveVerbs[to]}
          </Button>
        ))}
      </Group>
    </div>
  )
}

type Typed = { familyId: string; embargoUntil: string }

function typedOf({ family, embargoUntil }: InboxReport): Typed {
  return { familyId: family?.id ?? '', embargoUntil: embargoUntil ?? '' }
}

function FactsForm({ report }: { report: InboxReport }): ReactNode {
  const { slug } = useWorkspace()
  const change = useAct({
    slug,
    send: ({ familyId, embargoUntil }: Typed) =>
      call(changeReport, {
        params: { slug, number: String(report.number) },
        body: {
          familyId: familyId === '' ? null : familyId,
          embargoUntil: embargoUntil === '' ? null : embargoUntil,
        },
      }),
    done: () => 'Saved.',
  })
  const form = useSendForm<Typed, Typed>({
    initialValues: typedOf(report),
    latest: useLatest(getInboxReport, { params: { slug, number: String(report.number) } }, typedOf),
    inputOf: (typed) => typed,
    send: change,
  })
  return (
    <Form state={form.state} verb="Save">
      <NativeSelect
        {...form.getInputProps('familyId')}
        label="Product family"
        data={[
          { value: '', label: 'None' },
          ...report.families.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
        ]}
      />
      <TextInput
        {...form.getInputProps('embargoUntil')}
        type="date"
        label="Not to be published before"
        description="As agreed with the reporter."
      />
    </Form>
  )
}
