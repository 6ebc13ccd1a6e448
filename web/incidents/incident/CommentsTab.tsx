import { Checkbox, Group, MultiSelect, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { incidentLimits } from '#contract/incidents/limits.ts'
import type { IncidentDetail, IncidentTask } from '#contract/incidents/shapes.ts'
import { addComment, addTask, completeTask } from '#contract/incidents/act-operations.ts'
import { Unread } from '../../kit/page/Loaded.tsx'
import { tellRefusal } from '../../kit/api/tell-refusal.ts'
import { refusal, reportingRefusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { incidentPeopleQuery } from '../queries.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Countdown } from '../../kit/time/Countdown.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { instantOf } from '../../kit/time/local-time.ts'
import { TimeField } from '../../kit/form/TimeField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { Card, Cards } from '../../kit/page/Card.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { Age } from '../../kit/time/Time.tsx'
import { DialogButton } from './DialogButton.tsx'
import { TimelineTab } from './TimelineTab.tsx'
import { useIncidentAct } from './use-incident-act.ts'

type Props = { incident: IncidentDetail }

/** Comments of the team, and questions to it. */
export function CommentsTab({ incident }: Props): ReactNode {
  const workspace = useWorkspace()
  return (
    <>
      <Cards>
        <Card title="Tasks" aside={<AddTaskButton incident={incident} />}>
          {incident.tasks.length === 0 ? (
            <Text c="dimmed">
              None. What a CSIRT asks for in addition to the reports belongs here, with its due date.
            </Text>
          ) : (
            <Stack gap="sm">
              {incident.tasks.map((task) => (
                <Task key={task.id} incident={incident} task={task} />
              ))}
            </Stack>
          )}
        </Card>
        {refusal(workspace, addComment.permission) === undefined ? (
          <Card title="Comment">
            <CommentForm incident={incident} />
          </Card>
        ) : null}
      </Cards>
      <TimelineTab incident={incident} only="commented" />
    </>
  )
}

function Task({ incident, task }: Props & { task: IncidentTask }): ReactNode {
  const workspace = useWorkspace()
  const { slug, timeZone } = workspace
  const done = useAct({
    slug,
    send: () => call(completeTask, { params: { slug, incident: incident.id, task: task.id } }),
    done: () => 'The task is done.',
  })
  const isDone = task.doneAt !== null
  const refused = reportingRefusal(workspace, completeTask.permission)
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <Checkbox
        checked={isDone}
        disabled={isDone || refused !== undefined || done.isPending}
        aria-label={visibleText(`Done: ${task.title}`)}
        onChange={() => {
          done.mutate(undefined, { onError: tellRefusal })
        }}
      />
      <div style={{ minWidth: 0 }}>
        <Text td={isDone ? 'line-through' : ''}>
          <Foreign>{task.title}</Foreign>
        </Text>
        <Text c="dimmed" fz={13} component="div">
          <Foreign>{isDone ? `done by ${task.doneBy ?? ''}` : task.createdBy}</Foreign>,{' '}
          <Age at={task.doneAt ?? task.createdAt} />
          {task.dueAt === null || isDone ? null : (
            <div>
              <Countdown dueAt={task.dueAt} timeZone={timeZone} withTime />
            </div>
          )}
        </Text>
      </div>
    </Group>
  )
}

function AddTaskButton({ incident }: Props): ReactNode {
  const workspace = useWorkspace()
  return (
    <DialogButton
      verb="Add task"
      size="compact-xs"
      variant="default"
      refused={reportingRefusal(workspace, addTask.permission)}
    >
      {(close) => <TaskForm incident={incident} onClose={close} />}
    </DialogButton>
  )
}

function TaskForm({ incident, onClose }: Props & { onClose: () => void }): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const form = useSendForm({
    initialValues: { title: '', dueAt: '' },
    inputOf: ({ title, dueAt }) => ({
      title: title.trim(),
      dueAt: dueAt === '' ? null : (instantOf(dueAt, timeZone) ?? dueAt),
    }),
    send: useIncidentAct({
      send: (body: { title: string; dueAt: string | null }) =>
        call(addTask, { params: { slug, incident: incident.id }, body }),
      done: 'The task is added.',
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Add task" onCancel={onClose}>
      <TextInput
        {...form.getInputProps('title')}
        label="What is asked for"
        required
        maxLength={incidentLimits.taskCharacters}
      />
      <TimeField {...form.getInputProps('dueAt')} label="Due (optional)" timeZone={timeZone} />
    </Form>
  )
}

type Typed = { text: string; mentions: string[] }

function CommentForm({ incident }: Props): ReactNode {
  const { slug, mail } = useWorkspace()
  const asked = useQuery(incidentPeopleQuery(slug))
  const people = asked.data ?? []
  const form = useSendForm<Typed, Typed>({
    initialValues: { text: '', mentions: [] },
    inputOf: ({ text, mentions }) => (text.trim() === '' ? undefined : { text: text.trim(), mentions }),
    clears: true,
    send: useAct({
      slug,
      send: (body: Typed) => call(addComment, { params: { slug, incident: incident.id }, body }),
    }),
  })
  return (
    <Form state={form.state} verb="Comment">
      <Textarea {...form.getInputProps('text')} label="Text" autosize minRows={2} required />
      <Unread query={asked} />
      <MultiSelect
        {...form.getInputProps('mentions')}
        label="Tell"
        description={
          mail.goesNowhere
            ? 'They get an entry in their bell. No mail is sent: no mail server is configured.'
            : 'They get an e-mail and an entry in their bell.'
        }
        data={people.map(({ id, name }) => ({ value: id, label: visibleText(name) }))}
        searchable
      />
    </Form>
  )
}
