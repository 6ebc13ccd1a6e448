import { Foreign } from '../../kit/text/Foreign.tsx'
import { List, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { valueNames } from '#contract/incidents/incident-names.ts'
import { incidentLimits } from '#contract/incidents/limits.ts'
import type { IncidentRow } from '#contract/incidents/shapes.ts'
import { valuesFor } from '#contract/incidents/words.ts'
import type { BulkResult } from '#contract/incidents/bulk-result.ts'
import {
  approveDeterminations,
  assignIncidents,
  recordDeterminations,
} from '#contract/incidents/act-operations.ts'
import { refusal, reportingRefusal } from '../../workspaces/access.ts'
import { type Refusal, ActionButton } from '../../kit/actions/ActionButton.tsx'
import { call } from '../../kit/api/call.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Form } from '../../kit/form/Form.tsx'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useSendForm } from '../../kit/form/use-send-form.ts'
import {
  determinationBody,
  determinationErrors,
  DeterminationFields,
  noDetermination,
} from '../determination-fields.tsx'
import { AssigneeField } from '../AssigneeField.tsx'
import { SelectionBar } from '../../kit/table/SelectionBar.tsx'
import { formatCount, formatNoun } from '../../kit/text/format.ts'
import { BulkOutcome } from '../several/BulkOutcome.tsx'

export const maxSelected = 200

type Dialog = 'assign' | 'determine' | 'approve'

type Props = { selected: ReadonlySet<string>; rows: readonly IncidentRow[]; onDone: () => void }

/** Actions on the selected incidents. */
export function SelectedIncidents({ selected, rows, onDone }: Props): ReactNode {
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const [outcome, setOutcome] = useState<BulkResult | null>(null)
  const chosen = rows.filter(({ id }) => selected.has(id))
  const finish = (result: BulkResult) => {
    setDialog(null)
    setOutcome(result)
    onDone()
  }
  return (
    <>
      <BulkOutcome
        outcome={outcome}
        onClose={() => {
          setOutcome(null)
        }}
      />
      {selected.size === 0 ? null : (
        <BulkBar chosen={chosen} count={selected.size} onChoose={setDialog} onDone={onDone} />
      )}
      <FormModal
        opened={dialog !== null}
        onClose={() => {
          setDialog(null)
        }}
        title={titleOf(dialog, selected.size)}
        size={640}
      >
        {dialog === 'assign' ? <AssignForm incidents={[...selected]} onDone={finish} /> : null}
        {dialog === 'determine' ? <DetermineForm chosen={chosen} onDone={finish} /> : null}
        {dialog === 'approve' ? <ApproveForm chosen={chosen} onDone={finish} /> : null}
      </FormModal>
    </>
  )
}

type BarProps = {
  chosen: readonly IncidentRow[]
  count: number
  onChoose: (dialog: Dialog) => void
  onDone: () => void
}

function BulkBar({ chosen, count, onChoose, onDone }: BarProps): ReactNode {
  const workspace = useWorkspace()
  const acts: { dialog: Dialog; verb: string; refused: Refusal }[] = [
    { dialog: 'assign', verb: 'Assign', refused: refusal(workspace, assignIncidents.permission) },
    {
      dialog: 'determine',
      verb: 'Record determination',
      refused: reportingRefusal(workspace, recordDeterminations.permission) ?? sameVulnerability(chosen),
    },
    {
      dialog: 'approve',
      verb: 'Approve',
      refused: reportingRefusal(workspace, approveDeterminations.permission) ?? somePending(chosen),
    },
  ]
  return (
    <SelectionBar label="Selected incidents" count={`${formatCount(count)} selected`} onClear={onDone}>
      {acts.map(({ dialog, verb, refused }) => (
        <ActionButton
          key={dialog}
          size="xs"
          refused={refused}
          onClick={() => {
            onChoose(dialog)
          }}
        >
          {verb}
        </ActionButton>
      ))}
    </SelectionBar>
  )
}

function titleOf(dialog: Dialog | null, count: number): string {
  const incidents = formatNoun(count, 'incident')
  if (dialog === 'determine') return `Record a determination for ${incidents}`
  return dialog === 'approve' ? `Approve what waits in ${incidents}` : `Assign ${incidents}`
}

/** One determination covers one vulnerability, under one id or several; drills only go with drills. */
function sameVulnerability(chosen: readonly IncidentRow[]): Refusal {
  const [first, ...others] = chosen.toSorted((a, b) => (a.reference < b.reference ? -1 : 1))
  if (first === undefined) return undefined
  if (chosen.some(({ vulnKey }) => vulnKey === null)) return 'Choose incidents about a vulnerability.'
  if (!others.every(({ id, vulnKey }) => vulnKey === first.vulnKey || first.sameAs.includes(id)))
    return 'Choose incidents about the same vulnerability.'
  return others.every(({ isExercise }) => isExercise === first.isExercise)
    ? undefined
    : 'Choose either drills or real incidents.'
}

function somePending(chosen: readonly IncidentRow[]): Refusal {
  return chosen.some(({ determination }) => determination?.state === 'pending')
    ? undefined
    : 'None of them waits for a second person.'
}

type FormProps = { onDone: (result: BulkResult) => void }

function AssignForm({ incidents, onDone }: FormProps & { incidents: string[] }): ReactNode {
  const { slug } = useWorkspace()
  const form = useSendForm({
    initialValues: { person: '' },
    inputOf: ({ person }) => ({ incidents, person: person === '' ? null : person }),
    send: useAct({
      slug,
      final: true,
      send: (body: { incidents: string[]; person: string | null }) =>
        call(assignIncidents, { params: { slug }, body }),
      onDone,
    }),
  })
  return (
    <Form state={form.state} verb="Assign">
      <AssigneeField {...form.getInputProps('person')} />
    </Form>
  )
}

function DetermineForm({ chosen, onDone }: FormProps & { chosen: readonly IncidentRow[] }): ReactNode {
  const { slug } = useWorkspace()
  const incidents = chosen.map(({ id }) => id)
  const ids = [...new Set(chosen.map(({ vulnKey }) => vulnKey))].join(', ')
  const form = useSendForm({
    initialValues: noDetermination,
    validate: determinationErrors,
    inputOf: (typed) => {
      const body = determinationBody(typed)
      return body === undefined ? undefined : { ...body, incidents }
    },
    send: useAct({
      slug,
      final: true,
      send: (body: NonNullable<ReturnType<typeof determinationBody>> & { incidents: string[] }) =>
        call(recordDeterminations, { params: { slug }, body }),
      onDone,
    }),
  })
  return (
    <Form state={form.state} verb="Record determination" noValidate>
      <Text>
        One reasoning for <Foreign>{ids}</Foreign> in {formatNoun(chosen.length, 'incident')}:{' '}
        {chosen.map(({ reference }) => reference).join(', ')}.
      </Text>
      <DeterminationFields values={valuesFor.vulnerability.cra} getInputProps={form.getInputProps} />
    </Form>
  )
}

function ApproveForm({ chosen, onDone }: FormProps & { chosen: readonly IncidentRow[] }): ReactNode {
  const { slug } = useWorkspace()
  const pending = chosen.filter(({ determination }) => determination?.state === 'pending')
  const form = useSendForm({
    initialValues: { comment: '' },
    inputOf: ({ comment }) => ({
      incidents: pending.map(({ id }) => id),
      ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
    }),
    send: useAct({
      slug,
      final: true,
      send: (body: { incidents: string[]; comment?: string }) =>
        call(approveDeterminations, { params: { slug }, body }),
      onDone,
    }),
  })
  return (
    <Form state={form.state} verb="Approve">
      <Text>
        {formatNoun(pending.length, 'determination')}. What you recorded yourself is left out, and named.
      </Text>
      <List aria-label="What waits">
        {pending.map(({ id, reference, determination }) => (
          <List.Item key={id}>
            {reference}: {determination === null ? null : valueNames[determination.value]}, recorded by{' '}
            <Foreign>{determination?.recordedBy ?? ''}</Foreign>
          </List.Item>
        ))}
      </List>
      <TextInput
        {...form.getInputProps('comment')}
        label="Comment"
        maxLength={incidentLimits.reasonCharacters}
      />
    </Form>
  )
}
