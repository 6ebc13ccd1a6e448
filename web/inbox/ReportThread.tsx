import { NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import type { InboxEntry, InboxReport } from '#contract/disclosure/shapes.ts'
import { messageReporter, noteOnReport, noteOutsideAnswer } from '#contract/disclosure/operations.ts'
import { refusal } from '../workspaces/access.ts'
import { call } from '../kit/api/call.ts'
import { useAct } from '../kit/api/use-act.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { Form } from '../kit/form/Form.tsx'
import { useSendForm } from '../kit/form/use-send-form.ts'
import { Card } from '../kit/page/Card.tsx'
import { Foreign, ForeignLines } from '../kit/text/Foreign.tsx'
import { Moment } from '../kit/time/Time.tsx'
import styles from './inbox.module.css'
import { stateLooks } from './report-words.tsx'

/** Messages of both sides, and internal notes. */
export function ReportThread({ report }: { report: InboxReport }): ReactNode {
  return (
    <Card title="Thread">
      <Stack gap="md">
        {report.entries.length === 0 ? (
          <Text c="dimmed">No messages yet. The first message acknowledges the report.</Text>
        ) : (
          <ol className={styles['entries']}>
            {report.entries.map((entry) => (
              <Entry key={entry.id} entry={entry} isErased={report.isErased} />
            ))}
          </ol>
        )}
        <WriteForm report={report} />
      </Stack>
    </Card>
  )
}

const kindWords = {
  reporter: 'Reporter',
  company: 'To the reporter',
  outside: 'Answered elsewhere',
  note: 'Note for members',
  state: '',
} as const

function Entry({ entry, isErased }: { entry: InboxEntry; isErased: boolean }): ReactNode {
  const { kind, at, by, text, state } = entry
  return (
    <li className={styles['entry']} data-kind={kind}>
      <div className={styles['by']}>
        <strong>{state === null ? kindWords[kind] : `Now ${stateLooks[state].word}`}</strong>
        {by === null ? null : <Foreign>{by}</Foreign>}
        <span className="dimmed">
          <Moment at={at} />
        </span>
      </div>
      {kind === 'state' ? null : (
        <div className={styles['text']}>
          {text === null ? (
            <span className="dimmed">{isErased ? 'erased' : 'It cannot be opened.'}</span>
          ) : (
            <ForeignLines>{text}</ForeignLines>
          )}
        </div>
      )}
    </li>
  )
}

const ways = {
  message: { label: 'Message to the reporter', verb: 'Send message', operation: messageReporter },
  outside: { label: 'Answered elsewhere: how', verb: 'Record the answer', operation: noteOutsideAnswer },
  note: { label: 'Note for members', verb: 'Add note', operation: noteOnReport },
} as const
type Way = keyof typeof ways
type Typed = { way: Way; text: string }

function WriteForm({ report }: { report: InboxReport }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const write = useAct({
    slug,
    send: ({ way, text }: Typed) =>
      call(ways[way].operation, { params: { slug, number: String(report.number) }, body: { text } }),
    done: ({ way }) => (way === 'message' ? 'The reporter can read it.' : 'Recorded.'),
  })
  const form = useSendForm<Typed, Typed>({
    initialValues: { way: report.state === 'spam' ? 'note' : 'message', text: '' },
    validate: ({ text }) => (text.trim() === '' ? { text: 'A message is required.' } : {}),
    inputOf: (typed) => typed,
    send: write,
    clears: true,
  })
  if (report.isErased) return null
  const refused = refusal(workspace, 'see_inbox')
  if (refused !== undefined) return <Text c="dimmed">{refused}</Text>
  const { way } = form.values
  const possible = report.state === 'spam' ? (['note'] as const) : (['message', 'outside', 'note'] as const)
  return (
    <Form state={form.state} verb={ways[way].verb}>
      <NativeSelect
        {...form.getInputProps('way')}
        label="What you write"
        data={possible.map((value) => ({ value, label: ways[value].label }))}
      />
      <Textarea
        {...form.getInputProps('text')}
        label={ways[way].label}
        description={
          way === 'message'
            ? 'Shown on the status page in the company’s name.'
            : 'The reporter does not see it.'
        }
        autosize
        minRows={4}
        maxRows={16}
      />
    </Form>
  )
}
