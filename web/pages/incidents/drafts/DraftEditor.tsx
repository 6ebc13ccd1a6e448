import { Button, Group, Stack, Text } from '@mantine/core'
import { useMemo, useState, type ReactNode } from 'react'
import { problemsIn } from '../../../../src/contract/incidents/draft-problems.ts'
import { draftText } from '../../../../src/contract/incidents/report-draft-text.ts'
import type { DraftForm, DraftValue, DraftValues } from '../../../../src/contract/incidents/report-drafts.ts'
import type { IncidentDetail, ReportDraftDetail, ReportSummary } from '../../../../src/contract/incidents.ts'
import { copyDraft, saveDraft } from '../../../../src/contract/operations/incident-reports.ts'
import { reportingRefusal } from '../../../access.ts'
import { call } from '../../../api/call.ts'
import { isFailure } from '../../../api/request.ts'
import { useAct } from '../../../api/use-act.ts'
import { useWorkspace } from '../../../frame/use-workspace.ts'
import { ActionButton } from '../../../ui/actions/ActionButton.tsx'
import { Problem } from '../../../ui/page/Problem.tsx'
import { CopyIcon } from '../../../ui/text/CopyText.tsx'
import { Foreign } from '../../../ui/text/Foreign.tsx'
import { formatNoun } from '../../../ui/text/format.ts'
import { Moment } from '../../../ui/text/Time.tsx'
import { CopyFrom } from './CopyFrom.tsx'
import styles from './Draft.module.css'
import { DraftFieldRow } from './DraftFieldRow.tsx'
import { useShownText } from './shown-texts.ts'

type Props = {
  incident: IncidentDetail
  report: ReportSummary
  draft: ReportDraftDetail
  form: DraftForm
  /** Of the stage before. */
  previous: DraftValues
  onReload: () => Promise<ReportDraftDetail | undefined>
}

/** What is typed, what of it is saved, and what is missing. */
function useDraft({ incident, report, draft, form }: Props) {
  const { slug } = useWorkspace()
  const [known, setKnown] = useState(draft)
  const [values, setValues] = useState<DraftValues>(known.values)
  useShownText(report.id, values)
  const isLate = report.status === 'overdue' || report.status === 'late'
  const problems = useMemo(() => problemsIn(values, form.fields, { isLate }), [values, form.fields, isLate])
  const save = useAct({
    slug,
    send: () =>
      call(saveDraft, {
        params: { slug, incident: incident.id, report: report.id },
        body: { revision: known.revision, values },
      }),
    done: () => 'The draft is saved.',
    onDone: (saved) => {
      setKnown(saved)
    },
  })
  const copy = useCopy({ incident, report, revision: known.revision }, (copied) => {
    setKnown(copied)
    setValues(copied.values)
  })
  return {
    known,
    setKnown,
    values,
    problems,
    save,
    copy,
    isChanged: JSON.stringify(values) !== JSON.stringify(known.values),
    undo: () => {
      setValues(known.values)
    },
    change: (field: string, value: DraftValue) => {
      setValues((before) => {
        const { [field]: _before, ...others } = before
        return value.length === 0 ? others : { ...others, [field]: value }
      })
    },
  }
}

type Copying = { incident: IncidentDetail; report: ReportSummary; revision: number }

function useCopy({ incident, report, revision }: Copying, onCopied: (draft: ReportDraftDetail) => void) {
  const { slug } = useWorkspace()
  return useAct<string, ReportDraftDetail>({
    slug,
    send: (from) =>
      call(copyDraft, {
        params: { slug, incident: incident.id, report: report.id },
        body: { from, revision },
      }),
    done: () => 'The draft is copied and saved. Products, components and times stay its own.',
    onDone: onCopied,
  })
}

/** The fields of the authority's form: written here, copied into its portal, and kept with the submission. */
export function DraftEditor(props: Props): ReactNode {
  const { form, previous, onReload } = props
  const workspace = useWorkspace()
  const { known, setKnown, values, problems, save, copy, isChanged, undo, change } = useDraft(props)
  return (
    <Stack gap="md">
      <DraftHead known={known} form={form} values={values} missing={problems.length}>
        <CopyFrom
          related={props.incident.related}
          refused={
            reportingRefusal(workspace, copyDraft.permission) ??
            (isChanged ? 'Save or undo what you typed first.' : undefined)
          }
          isCopying={copy.isPending}
          onCopy={copy.mutate}
        />
      </DraftHead>
      {copy.error === null ? null : <Problem error={copy.error} />}
      {save.error === null ? null : (
        <SaveProblem
          error={save.error}
          onTakeOver={() => {
            void onReload().then((now) => {
              // what was typed stays; saving it replaces what the other person saved
              if (now !== undefined) setKnown(now)
            })
          }}
        />
      )}
      <ol className={styles['fields']}>
        {form.fields.map((field) => (
          <DraftFieldRow
            key={field.id}
            field={field}
            value={values[field.id]}
            previous={previous[field.id]}
            problem={problems.find((one) => one.field === field.id)}
            kept={{ now: known.kept.find((one) => one.field === field.id), savedAt: known.savedAt }}
            onChange={(value) => {
              change(field.id, value)
            }}
          />
        ))}
      </ol>
      <SaveBar isChanged={isChanged} isSaving={save.isPending} onSave={save.mutate} onUndo={undo} />
    </Stack>
  )
}

type HeadProps = {
  known: ReportDraftDetail
  form: DraftForm
  values: DraftValues
  missing: number
  children: ReactNode
}

function DraftHead({ known, form, values, missing, children }: HeadProps): ReactNode {
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Text>
          {known.savedAt === null ? (
            'Made from what is known. Nothing is saved yet.'
          ) : (
            <>
              Saved by <Foreign>{known.savedBy ?? ''}</Foreign>, <Moment at={known.savedAt} />
            </>
          )}
        </Text>
        <Text c="dimmed" fz={13}>
          {form.source}. Better filed incomplete than late: nothing that is missing keeps you from filing.
        </Text>
      </div>
      <Group gap="xs">
        <Text role="status" c={missing === 0 ? 'dimmed' : ''}>
          {missing === 0 ? 'Nothing is missing' : `${formatNoun(missing, 'field')} to look at`}
        </Text>
        {children}
        <span className={styles['copyAll']}>
          Copy all <CopyIcon text={draftText(form.fields, values)} what="the whole draft" />
        </span>
      </Group>
    </Group>
  )
}

/** Somebody else saved it meanwhile: nothing that was typed is lost. */
function SaveProblem({ error, onTakeOver }: { error: Error; onTakeOver: () => void }): ReactNode {
  return (
    <>
      <Problem error={error} />
      {isFailure(error, 'conflict') ? (
        <Group>
          <Text>
            What you typed is still here. Compare it with what was saved, in another tab, before you replace
            it.
          </Text>
          <Button size="xs" variant="default" onClick={onTakeOver}>
            Let my text replace it
          </Button>
        </Group>
      ) : null}
    </>
  )
}

type BarProps = { isChanged: boolean; isSaving: boolean; onSave: () => void; onUndo: () => void }

function SaveBar({ isChanged, isSaving, onSave, onUndo }: BarProps): ReactNode {
  const workspace = useWorkspace()
  return (
    <Group justify="flex-end" gap="xs" className={styles['bar']}>
      {isChanged ? <Text c="dimmed">Not saved</Text> : null}
      {isChanged ? (
        <Button variant="default" onClick={onUndo}>
          Undo
        </Button>
      ) : null}
      <ActionButton
        refused={reportingRefusal(workspace, saveDraft.permission)}
        loading={isSaving}
        onClick={onSave}
      >
        Save draft
      </ActionButton>
    </Group>
  )
}
