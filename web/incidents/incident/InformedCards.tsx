import { Group, Text, Textarea } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheckFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { AwarenessRow, IncidentDetail, Informed } from '#contract/incidents/shapes.ts'
import { recordInformed } from '#contract/incidents/act-operations.ts'
import { reportingRefusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Chip } from '../../kit/text/Chip.tsx'
import { BothTimes } from '../../kit/time/Countdown.tsx'
import { Form } from '../../kit/form/Form.tsx'
import { instantOf } from '../../kit/time/local-time.ts'
import { TimeField } from '../../kit/form/TimeField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import { regimeTitles } from '../words.ts'
import { Card, Cards } from '../../kit/page/Card.tsx'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import { ZonedTime } from '../../kit/time/Time.tsx'
import { DecisionButtons } from './DecisionButtons.tsx'
import { DialogButton } from './DialogButton.tsx'
import { useIncidentAct } from './use-incident-act.ts'
import { WithdrawButton } from './WithdrawButton.tsx'

type Props = { incident: IncidentDetail }

/** Who must be told besides the authority, and a pending time of awareness. */
export function InformedCards({ incident }: Props): ReactNode {
  const isPositive = incident.determinations.some(
    ({ value, state, cycle }) =>
      cycle === incident.cycle &&
      state === 'approved' &&
      (value === 'actively_exploited' || value === 'severe_incident'),
  )
  const waiting = incident.awareness.find(({ state }) => state === 'pending')
  return (
    <Cards>
      <InformedCard
        incident={incident}
        who="users"
        title="Users"
        informed={incident.usersInformed}
        warns={isPositive && incident.usersInformed === null}
        missing={
          isPositive
            ? 'Users not yet informed (Art. 14(8)).'
            : 'Users are informed once it is found that it must be reported (Art. 14(8)).'
        }
      />
      {incident.kind === 'vulnerability' ? (
        <InformedCard
          incident={incident}
          who="maintainer"
          title="Maintainer of the component"
          informed={incident.maintainerInformed}
          warns={false}
          missing="Not recorded. Whoever finds a vulnerability in a component tells its maintainer (Art. 13(6))."
        />
      ) : null}
      {waiting === undefined ? null : <WaitingAwareness incident={incident} change={waiting} />}
    </Cards>
  )
}

type InformedProps = Props & {
  who: 'users' | 'maintainer'
  title: string
  informed: Informed | null
  warns: boolean
  missing: string
}

function InformedCard({ incident, who, title, informed, warns, missing }: InformedProps): ReactNode {
  const workspace = useWorkspace()
  return (
    <Card
      title={title}
      aside={
        informed !== null ? (
          <Chip tone="good" Icon={IconCircleCheckFilled}>
            informed
          </Chip>
        ) : warns ? (
          <Chip tone="warn" Icon={IconAlertTriangle}>
            not informed
          </Chip>
        ) : undefined
      }
    >
      {informed === null ? (
        <Text c={warns ? '' : 'dimmed'}>{missing}</Text>
      ) : (
        <>
          <Text>
            <ForeignLines>{informed.how}</ForeignLines>
          </Text>
          <Text c="dimmed" fz={13}>
            <Foreign>{informed.by}</Foreign>, <ZonedTime at={informed.at} timeZone={incident.timeZone} />
          </Text>
        </>
      )}
      <Group mt="sm">
        <DialogButton
          verb={informed === null ? 'Record how' : 'Record another way'}
          title={who === 'users' ? 'How users were informed' : 'How the maintainer was informed'}
          size="xs"
          variant="default"
          refused={reportingRefusal(workspace, recordInformed.permission)}
        >
          {(close) => <InformedForm incident={incident} who={who} onClose={close} />}
        </DialogButton>
      </Group>
    </Card>
  )
}

type FormProps = Props & { who: 'users' | 'maintainer'; onClose: () => void }

function InformedForm({ incident, who, onClose }: FormProps): ReactNode {
  const { slug } = useWorkspace()
  const { timeZone } = incident
  const form = useSendForm({
    initialValues: { how: '', at: '' },
    inputOf: ({ how, at }) => {
      const informedAt = instantOf(at, timeZone)
      return { who, how: how.trim(), ...(informedAt === undefined ? {} : { at: informedAt }) }
    },
    send: useIncidentAct({
      send: (body: { who: 'users' | 'maintainer'; how: string; at?: string }) =>
        call(recordInformed, { params: { slug, incident: incident.id }, body }),
      done: 'It is recorded.',
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Record" onCancel={onClose}>
      <Textarea
        {...form.getInputProps('how')}
        label="How, and what they were told"
        description="A link, a mail to customers, a notice in the product, an issue of the project."
        autosize
        minRows={2}
        required
      />
      <TimeField
        {...form.getInputProps('at')}
        label="When"
        timeZone={timeZone}
        description="When they were told; empty means now."
      />
    </Form>
  )
}

function WaitingAwareness({ incident, change }: Props & { change: AwarenessRow }): ReactNode {
  const { timeZone } = incident
  const { regime } = change
  return (
    <Card title={regime === null ? 'Another time of awareness waits' : 'Switching a regime off waits'}>
      {regime === null ? (
        <Text>
          From <BothTimes at={change.from} timeZone={timeZone} inText /> to{' '}
          <BothTimes at={change.to} timeZone={timeZone} inText />
        </Text>
      ) : (
        <Text>{regimeTitles[regime]}</Text>
      )}
      <Text>
        <ForeignLines>{change.reason}</ForeignLines>
      </Text>
      <Text c="dimmed" fz={13}>
        Recorded by <Foreign>{change.recordedBy.name}</Foreign>,{' '}
        <ZonedTime at={change.recordedAt} timeZone={incident.timeZone} />. The deadlines stay as they are
        until a second person approves it.
      </Text>
      <Group gap="xs" mt="sm">
        <DecisionButtons incident={incident} change={change} />
        <WithdrawButton incident={incident} change={change} />
      </Group>
    </Card>
  )
}
