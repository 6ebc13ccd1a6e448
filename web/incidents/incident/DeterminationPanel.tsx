import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { valueNames } from '#contract/incidents/incident-names.ts'
import type { DeterminationRow, IncidentDetail } from '#contract/incidents/shapes.ts'
import { negativeValues, valuesFor, type DeterminationScope } from '#contract/incidents/words.ts'
import { recordDetermination } from '#contract/incidents/act-operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { reportingRefusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Form } from '../../kit/form/Form.tsx'
import { instantOf, localTimeNow } from '../../kit/time/local-time.ts'
import { TimeField } from '../../kit/form/TimeField.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import {
  determinationBody,
  determinationErrors,
  DeterminationFields,
  noDetermination,
  type TypedDetermination,
} from '../determination-fields.tsx'
import { DeterminationMark } from '../incident-marks.tsx'
import { stateNames } from '../words.ts'
import { Card } from '../../kit/page/Card.tsx'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import { ZonedTime } from '../../kit/time/Time.tsx'
import { DecisionButtons } from './DecisionButtons.tsx'
import styles from './DeterminationPanel.module.css'
import { DialogButton } from './DialogButton.tsx'
import { useIncidentAct } from './use-incident-act.ts'
import { WithdrawButton } from './WithdrawButton.tsx'

type Props = { incident: IncidentDetail }

/** Whether the incident must be reported: the determination, who made it, and who approved it. */
export function DeterminationPanel({ incident }: Props): ReactNode {
  return (
    <div className={styles['panels']}>
      {incident.determinationScopes.map((scope) => (
        <ScopePanel key={scope} incident={incident} scope={scope} />
      ))}
    </div>
  )
}

const scopeTitles: Record<DeterminationScope, string> = {
  cra: 'Determination: must it be reported?',
  dora: 'Classification (DORA)',
}
const notRecorded: Record<DeterminationScope, string> = {
  cra: 'Not recorded yet. The clocks are running: somebody who knows the product should record what was found, and why.',
  dora: 'Not classified yet. The clocks of DORA begin when the incident is classified as major.',
}

function ScopePanel({ incident, scope }: Props & { scope: DeterminationScope }): ReactNode {
  const all = incident.determinations.filter((one) => one.scope === scope)
  const newest = all.find(({ cycle }) => cycle === incident.cycle)
  const earlier = all.filter((one) => one !== newest)
  const waiting = newest?.state === 'pending' ? newest : null
  return (
    <Card title={scopeTitles[scope]} aside={<DeterminationMark of={newest ?? null} />}>
      {newest === undefined ? (
        <Text c="dimmed">{notRecorded[scope]}</Text>
      ) : (
        <Determination incident={incident} determination={newest} />
      )}
      <Group gap="xs" mt="md">
        <RecordButton incident={incident} scope={scope} newest={newest} />
        {waiting === null ? null : <DecisionButtons incident={incident} determination={waiting} />}
        {waiting === null ? null : <WithdrawButton incident={incident} determination={waiting} />}
      </Group>
      {earlier.length === 0 ? null : (
        <details className={styles['earlier']}>
          <summary>Earlier ({earlier.length})</summary>
          {earlier.map((one) => (
            <Determination key={one.id} incident={incident} determination={one} />
          ))}
        </details>
      )}
    </Card>
  )
}

function Determination({ incident, determination }: Props & { determination: DeterminationRow }): ReactNode {
  const { value, state, reasoning, evidence, recordedBy, recordedAt, cycle } = determination
  const isUnapproved = state === 'pending' && negativeValues.includes(value)
  return (
    <div className={styles['determination']}>
      <Text>
        <strong>{valueNames[value]}</strong>: {stateNames[state]}
        {cycle === incident.cycle ? '' : `, of report cycle ${cycle}`}
      </Text>
      <Text className={styles['reasoning']}>
        <ForeignLines>{reasoning}</ForeignLines>
      </Text>
      <EvidenceLinks links={evidence} />
      <Text c="dimmed" fz={13}>
        Recorded by <Foreign>{recordedBy.name}</Foreign>,{' '}
        <ZonedTime at={recordedAt} timeZone={incident.timeZone} />
        <Decided incident={incident} determination={determination} />
      </Text>
      {isUnapproved ? (
        <Text fz={13}>It has no effect until a second person approves it: the reports stay due.</Text>
      ) : null}
    </div>
  )
}

function Decided({ incident, determination }: Props & { determination: DeterminationRow }): ReactNode {
  const { state, decidedBy, decidedAt, comment, selfApproved } = determination
  if (decidedAt === null || decidedBy === null) return null
  return (
    <>
      {' '}
      · {selfApproved ? 'approved without second person by' : `${stateNames[state]} by`}{' '}
      <Foreign>{decidedBy}</Foreign>, <ZonedTime at={decidedAt} timeZone={incident.timeZone} />
      {comment === null ? null : (
        <>
          : <ForeignLines>{comment}</ForeignLines>
        </>
      )}
    </>
  )
}

type RecordProps = Props & { scope: DeterminationScope; newest: DeterminationRow | undefined }

function RecordButton({ incident, scope, newest }: RecordProps): ReactNode {
  const workspace = useWorkspace()
  const pending = newest?.state === 'pending' ? 'Another one waits for a second person.' : undefined
  const closed = incident.status === 'closed' ? 'The incident is closed. Reopen it first.' : undefined
  return (
    <DialogButton
      verb={newest === undefined ? 'Record determination' : 'Record another'}
      title={`Determination on ${incident.reference}`}
      variant={newest === undefined ? 'filled' : 'default'}
      size="xs"
      refused={reportingRefusal(workspace, recordDetermination.permission) ?? closed ?? pending}
    >
      {(close) => <RecordForm incident={incident} scope={scope} onClose={close} />}
    </DialogButton>
  )
}

type FormProps = Props & { scope: DeterminationScope; onClose: () => void }
type Typed = TypedDetermination & { classifiedAt: string }
type Body = BodyOf<typeof recordDetermination>

function RecordForm({ incident, scope, onClose }: FormProps): ReactNode {
  const { slug, timeZone } = useWorkspace()
  const form = useSendForm<Typed, Body>({
    initialValues: { ...noDetermination, classifiedAt: localTimeNow(timeZone) },
    validate: determinationErrors,
    inputOf: ({ classifiedAt, ...typed }) => {
      const body = determinationBody(typed)
      const at =
        body?.value === 'dora_major' ? (instantOf(classifiedAt, timeZone) ?? classifiedAt) : undefined
      return body === undefined || at === undefined ? body : { ...body, classifiedAt: at }
    },
    send: useIncidentAct({
      send: (body: Body) => call(recordDetermination, { params: { slug, incident: incident.id }, body }),
      done: 'The determination is recorded.',
      closes: onClose,
    }),
  })
  return (
    <Form state={form.state} verb="Record determination" onCancel={onClose} noValidate>
      <DeterminationFields values={valuesFor[incident.kind][scope]} getInputProps={form.getInputProps} />
      {form.values.value === 'dora_major' ? (
        <TimeField
          {...form.getInputProps('classifiedAt')}
          label="Classified as major at"
          description="The four hours run from this time."
          timeZone={timeZone}
          required
        />
      ) : null}
    </Form>
  )
}

function EvidenceLinks({ links }: { links: readonly string[] }): ReactNode {
  return links.map((link) => (
    <Text key={link} fz={13}>
      <ExternalLink href={link}>
        <Foreign>{link}</Foreign>
      </ExternalLink>
    </Text>
  ))
}
