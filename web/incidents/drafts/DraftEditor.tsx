import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { problemsIn } from '#contract/incidents/draft-problems.ts'
import { draftText } from '#contract/incidents/report-draft-text.ts'
import type { DraftForm, DraftPresence, DraftValues } from '#contract/incidents/report-drafts.ts'
import type { IncidentDetail, ReportDraftDetail, ReportSummary } from '#contract/incidents/shapes.ts'
import { copyDraft, saveDraft } from '#contract/incidents/report-operations.ts'
import { reportingRefusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { sessionQuery } from '../../sign-in/session-query.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ActionButton, type Refusal } from '../../kit/actions/ActionButton.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { CopyIcon } from '../../kit/text/CopyText.tsx'
import { formatNoun } from '../../kit/text/format.ts'
import { CopyFrom } from './CopyFrom.tsx'
import { CopyTo } from './CopyTo.tsx'
import styles from './Draft.module.css'
import { hasSavable, shownValues } from './draft-changes.ts'
import { DraftFieldRow } from './DraftFieldRow.tsx'
import { DraftNews, NewerText, Others, SavedLine, SavingLine } from './DraftState.tsx'
import type { DraftNow } from './draft-text.ts'
import { useDraftPresence } from './use-draft-presence.ts'
import type { DraftKey } from '../queries.ts'
import { useDraftText } from './use-draft-text.ts'

type Props = {
  incident: IncidentDetail
  report: ReportSummary
  draft: ReportDraftDetail
  form: DraftForm
  /** Of the stage before. */
  previous: DraftValues
  onReload: () => Promise<unknown>
}

/** What is typed, how much of it is saved, and what is missing. */
function useDraft({ incident, report, draft, form, onReload }: Props) {
  const { slug } = useWorkspace()
  const place = { slug, incident: incident.id, report: report.id }
  const text = useDraftText(place, draft)
  const { saved, changes } = text.state
  const values = useMemo(() => shownValues(saved.values, changes), [saved.values, changes])
  const isLate = report.status === 'overdue' || report.status === 'late'
  const problems = useMemo(() => problemsIn(values, form.fields, { isLate }), [values, form.fields, isLate])
  const others = useDraftPresence(place, {
    typedAt: text.typedAt,
    revision: saved.revision,
    onNewer: () => {
      void onReload()
    },
  })
  const copy = useCopy(place, { revision: saved.revision, onCopied: text.takeOver })
  return { text, values, problems, others, copy, isChanged: hasSavable(saved.values, changes) }
}

type Copying = { revision: number; onCopied: (draft: ReportDraftDetail) => void }

function useCopy(place: DraftKey, { revision, onCopied }: Copying) {
  return useAct<string, ReportDraftDetail>({
    slug: place.slug,
    send: (from) => call(copyDraft, { params: place, body: { from, revision } }),
    done: () => 'The draft is copied and saved. It keeps its own products, components and times.',
    onDone: onCopied,
  })
}

/** The fields of the authority's form: written here, copied into its portal, and stored with the submission. */
export function DraftEditor(props: Props): ReactNode {
  const { incident, form, previous } = props
  const me = useQuery(sessionQuery).data?.person.name ?? ''
  const { text, values, problems, others, copy, isChanged } = useDraft(props)
  const { state } = text
  const refused = useRefusal(props)
  return (
    <Stack gap="md">
      <div>
        <DraftHead
          state={state}
          others={others}
          timeZone={incident.timeZone}
          form={form}
          values={values}
          missing={problems.length}
          refused={refused}
        >
          <CopyButtons {...props} saved={state.saved.revision} isChanged={isChanged} copy={copy} />
        </DraftHead>
        <NewerText state={state} form={form} me={me} />
      </div>
      <Problem error={copy.error} />
      <DraftNews state={state} form={form} />
      <DraftRows
        form={form}
        values={values}
        previous={previous}
        text={text}
        problems={problems}
        isReadOnly={refused !== undefined}
      />
      <SaveBar
        state={state}
        refused={refused}
        onSave={() => {
          void text.saveNow(true)
        }}
      />
    </Stack>
  )
}

type RowsProps = Pick<Props, 'form' | 'previous'> &
  Pick<ReturnType<typeof useDraft>, 'text' | 'values' | 'problems'> & { isReadOnly: boolean }

function DraftRows({ form, previous, text, values, problems, isReadOnly }: RowsProps): ReactNode {
  const { state } = text
  return (
    <ol className={styles['fields']}>
      {form.fields.map((field) => (
        <DraftFieldRow
          key={field.id}
          field={field}
          value={values[field.id]}
          previous={previous[field.id]}
          isReadOnly={isReadOnly}
          problem={problems.find((one) => one.field === field.id)}
          kept={{
            now: state.saved.kept.filter((one) => one.field === field.id),
            savedAt: state.saved.savedAt,
          }}
          theirs={state.changes[field.id]?.theirs}
          saved={state.saved.values[field.id]}
          onChange={(value) => {
            text.type(field.id, value)
          }}
          onChoose={(choice) => {
            text.choose(field.id, choice)
          }}
        />
      ))}
    </ol>
  )
}

/** Why nothing can be written here. What was filed is amended in a closed incident, too. */
function useRefusal({ incident, report }: Pick<Props, 'incident' | 'report'>): Refusal {
  const workspace = useWorkspace()
  const isFiled = report.status === 'submitted' || report.status === 'late'
  const closed = incident.status === 'closed' && !isFiled
  return (
    reportingRefusal(workspace, saveDraft.permission) ??
    (closed ? 'The incident is closed. Reopen it first.' : undefined)
  )
}

type CopyProps = Pick<Props, 'incident' | 'report'> & {
  /** The saved revision. */
  saved: number
  isChanged: boolean
  copy: ReturnType<typeof useCopy>
}

/** Copies from another incident on the vulnerability, and to others. */
function CopyButtons({ incident, report, saved, isChanged, copy }: CopyProps): ReactNode {
  const workspace = useWorkspace()
  const refused = reportingRefusal(workspace, copyDraft.permission)
  return (
    <>
      <CopyFrom
        related={incident.related}
        refused={refused ?? (isChanged ? 'Wait until what you typed is saved.' : undefined)}
        isCopying={copy.isPending}
        onCopy={copy.mutate}
      />
      <CopyTo
        incident={incident}
        report={report}
        refused={refused ?? (isChanged || saved === 0 ? 'Save this draft first.' : undefined)}
      />
    </>
  )
}

type HeadProps = {
  state: DraftNow
  others: DraftPresence['others']
  timeZone: string
  form: DraftForm
  values: DraftValues
  missing: number
  refused: Refusal
  children: ReactNode
}

function DraftHead(props: HeadProps): ReactNode {
  const { state, others, timeZone, form, values, missing, refused, children } = props
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Text>
          <SavedLine state={state} timeZone={timeZone} />
        </Text>
        <Others others={others} />
        <Text c="dimmed" fz={13}>
          {form.source}. {refused ?? 'Better incomplete than late: you can file with fields left empty.'}
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

type SaveProps = { state: DraftNow; refused: Refusal; onSave: () => void }

function SaveBar({ state, refused, onSave }: SaveProps): ReactNode {
  const isIdle = refused !== undefined && state.state === 'saved'
  return (
    <Group justify="flex-end" gap="xs" className={styles['bar']}>
      {isIdle ? null : <SavingLine state={state} />}
      <ActionButton refused={refused} loading={state.state === 'saving'} onClick={onSave}>
        Save draft
      </ActionButton>
    </Group>
  )
}
