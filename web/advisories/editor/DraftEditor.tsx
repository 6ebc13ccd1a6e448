import { Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState, type FocusEvent, type ReactNode } from 'react'
import type {
  AdvisoryContent,
  AdvisoryDetail,
  AdvisoryDraft,
  AdvisoryPreview,
} from '#contract/advisories/shapes.ts'
import { saveAdvisoryDraft, setAdvisoryDraftState } from '#contract/advisories/operations.ts'
import { refusal } from '../../workspaces/access.ts'
import { advisoryQuery, isLargeDraft, previewQuery } from '../queries.ts'
import { noteSaved, type Saved } from './note-saved.ts'
import { call } from '../../kit/api/call.ts'
import { isFailure } from '../../kit/api/request.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { ActionButton } from '../../kit/actions/ActionButton.tsx'
import { Problem } from '../../kit/page/Problem.tsx'
import { formatNoun } from '../../kit/text/format.ts'
import { useUnsent } from '../../kit/unsaved/unsent.ts'
import { Conflict } from './Conflict.tsx'
import { DraftGone, NewerText } from './DraftNews.tsx'
import { DraftFields } from './DraftFields.tsx'
import { fieldId, FieldProblems, OpenVulnerability } from './fields.ts'
import { Preview } from './Preview.tsx'
import styles from './Preview.module.css'
import { PublishModal } from './PublishModal.tsx'

type Props = { advisory: AdvisoryDetail; draft: AdvisoryDraft }
/** `isGone`: it was published or deleted, and `draft` is what was last seen of it. */
type EditorProps = Props & { isGone: boolean }

const typingPauseMs = 400

/** The draft beside a live preview of what would be published. One that is gone stays while something typed into it is not saved. */
export function DraftEditor(props: EditorProps): ReactNode {
  const { advisory, draft, isGone } = props
  const refused = refusal(useWorkspace(), 'draft_advisories')
  const typing = useTyping(props)
  const { content, setContent, base, isChanged, save } = typing
  const { preview, onRefresh, ...shown } = usePreview(advisory.id, content, refused === undefined && !isGone)
  const isSaved = base.revision > firstRevision || save.tried !== undefined
  const { problems, onLeft } = useToldProblems(preview.data, { of: shown.asked, isSaved })
  const opened = useOpened()
  if (isGone && !isChanged) return null
  return (
    <FieldProblems value={problems}>
      <Meanwhile {...props} typing={typing} />
      <div>
        {isGone ? null : (
          <EditorActions
            advisory={advisory}
            draft={draft}
            content={content}
            isChanged={isChanged}
            isSaving={save.isPending}
            failing={shown.failing}
            onSave={typing.saveOver}
          />
        )}
        <NewerText draft={typing.newer} />
      </div>
      <div className={styles['columns']} onBlur={onLeft}>
        <OpenVulnerability value={opened}>
          <DraftFields content={content} isLocked={refused !== undefined} onChange={setContent} />
          <Preview
            preview={preview.data}
            vulnerabilities={content.vulnerabilities}
            refused={refused}
            error={preview.error}
            onRefresh={onRefresh}
            isLoading={preview.isFetching}
          />
        </OpenVulnerability>
      </div>
    </FieldProblems>
  )
}

/** What is typed, the saved draft that it began from, and what others made of that meanwhile. */
function useTyping({ advisory, draft }: Props) {
  const [content, setContent] = useState(draft.content)
  const [base, setBase] = useState<Saved>(draft)
  /** What replaced the text shown without being asked for. */
  const [newer, setNewer] = useState<AdvisoryDraft>()
  const save = useSave(advisory.id, setBase)
  const isChanged = isOther(content, base.content)
  useUnsentDraft(isChanged, save.isPending)
  const isOvertaken = draft.revision > base.revision && !save.isPending
  const takeTheirs = () => {
    setContent(draft.content)
    setBase(draft)
  }
  // nothing typed that could be lost
  if (isOvertaken && !isChanged) {
    takeTheirs()
    setNewer(draft)
  }
  const saveOver = (revision = base.revision) => {
    save.send({ revision, content })
  }
  const shownNewer = newer?.revision === base.revision ? newer : undefined
  return { content, setContent, base, isChanged, isOvertaken, newer: shownNewer, takeTheirs, saveOver, save }
}

/** What others did to the draft while something was typed, or why it could not be saved. */
function Meanwhile({ draft, isGone, typing }: EditorProps & { typing: ReturnType<typeof useTyping> }) {
  const { content, setContent, base, isOvertaken, takeTheirs, saveOver, save } = typing
  const isTold = isGone || isOvertaken || save.tried !== base.revision
  const isSettled = isFailure(save.error, 'conflict') && isTold
  return (
    <>
      {isOvertaken ? (
        <Conflict
          mine={content}
          theirs={draft}
          onTakeTheirs={takeTheirs}
          onKeepMine={() => {
            saveOver(draft.revision)
          }}
        />
      ) : null}
      {save.error === null || isSettled ? null : <Problem error={save.error} />}
      {isGone ? (
        <DraftGone
          onDiscard={() => {
            setContent(base.content)
          }}
        />
      ) : null}
    </>
  )
}

function useOpened() {
  const [open, setOpen] = useState<number | null>(0)
  return useMemo(() => ({ open, setOpen }), [open])
}

/** Whether a draft was typed into; a large one is not read for it. */
function isOther(content: AdvisoryContent, saved: AdvisoryContent): boolean {
  return content !== saved && (isLargeDraft(content) || JSON.stringify(content) !== JSON.stringify(saved))
}

function useUnsentDraft(isChanged: boolean, isSaving: boolean): void {
  useUnsent({
    isUnsent: () => isChanged && !isSaving,
    isSending: () => isSaving,
    giveUp: () => undefined,
  })
}

/** A live preview of what would be published; for a large draft only on request. */
function usePreview(advisory: string, content: AdvisoryContent, isEnabled: boolean) {
  const { slug } = useWorkspace()
  const isLarge = isLargeDraft(content)
  const [typed] = useDebouncedValue(content, typingPauseMs)
  const [wanted, setWanted] = useState<AdvisoryContent>()
  const asked = isLarge ? wanted : typed
  const preview = useQuery({
    ...previewQuery(slug, advisory, asked ?? content),
    enabled: isEnabled && asked !== undefined,
  })
  // 0 also while nobody knows: the service judges it again when it is published
  const isOfContent = asked === content && !preview.isPlaceholderData
  const failing = isOfContent ? (preview.data?.problemsTotal ?? 0) : 0
  const onRefresh = () => {
    setWanted(content)
  }
  return { preview, asked, isLarge, onRefresh: isLarge ? onRefresh : undefined, failing }
}

const firstRevision = 1

/**
 * The problems to show beside their fields. What a new draft lacks from the beginning is no mistake of whoever writes it: it is shown once its
 * field is left, or the draft was saved. The tests beside it list it all the same.
 */
function useToldProblems(
  preview: AdvisoryPreview | undefined,
  { of, isSaved }: { of: AdvisoryContent | undefined; isSaved: boolean },
) {
  const byField = useMemo(() => problemsByField(preview?.problems ?? []), [preview])
  const [begun] = useState(of)
  const [lacking, setLacking] = useState<ReadonlySet<string>>()
  if (lacking === undefined && preview !== undefined) setLacking(new Set(of === begun ? byField.keys() : []))
  const onLeft = ({ target }: FocusEvent<HTMLElement>) => {
    setLacking((before) => before && new Set([...before].filter((field) => fieldId(field) !== target.id)))
  }
  const problems = useMemo(
    () => new Map([...byField].filter(([field]) => isSaved || lacking?.has(field) === false)),
    [byField, isSaved, lacking],
  )
  return { problems, onLeft }
}

/** A conflicting save is refused; the saved version is then shown beside what was typed. */
function useSave(advisory: string, onSaved: (saved: Saved) => void) {
  const { slug } = useWorkspace()
  const queryClient = useQueryClient()
  /** The revision that the last save attempt was based on. */
  const [tried, setTried] = useState<number>()
  const { mutate, isPending, error } = useAct({
    slug,
    send: async (given: Saved) => {
      const { revision } = await call(saveAdvisoryDraft, { params: { slug, advisory }, body: given })
      const now = { revision, content: given.content }
      await noteSaved(queryClient, { slug, advisory }, now)
      return now
    },
    done: () => 'Saved.',
    onDone: onSaved,
  })
  const send = (given: Saved): void => {
    setTried(given.revision)
    mutate(given, {
      onError: (refused) => {
        if (isFailure(refused, 'conflict')) void queryClient.invalidateQueries(advisoryQuery(slug, advisory))
      },
    })
  }
  return { send, isPending, error, tried }
}

function problemsByField(
  problems: readonly { field: string | null; message: string }[],
): Map<string, string> {
  const byField = new Map<string, string>()
  for (const { field, message } of problems) {
    if (field !== null && !byField.has(field)) byField.set(field, message)
  }
  return byField
}

type ActionProps = Props & {
  content: AdvisoryContent
  isChanged: boolean
  isSaving: boolean
  /** How many tests of what is shown fail. */
  failing: number
  onSave: () => void
}

function EditorActions(props: ActionProps): ReactNode {
  const { advisory, draft, content, isChanged, isSaving, failing, onSave } = props
  const workspace = useWorkspace()
  const [isPublishing, setPublishing] = useState(false)
  const unsaved = isChanged ? 'Save the draft first.' : undefined
  const isSecondNeeded = advisory.secondPersonPublishes && draft.isOwn
  const second = isSecondNeeded ? 'A second person must publish it: you changed the draft last.' : undefined
  const untested =
    failing === 0
      ? undefined
      : `${formatNoun(failing, 'test')} of the draft ${failing === 1 ? 'fails' : 'fail'}: see “Tests” beside it.`
  const toPublish = refusal(workspace, 'publish_advisories')
  return (
    <Group gap="xs" mb="md">
      <ActionButton
        refused={refusal(workspace, 'draft_advisories')}
        loading={isSaving}
        onClick={() => {
          onSave()
        }}
      >
        Save draft
      </ActionButton>
      <ActionButton
        variant="default"
        refused={toPublish ?? unsaved ?? untested ?? second}
        onClick={() => {
          setPublishing(true)
        }}
      >
        Publish…
      </ActionButton>
      <ReviewButton advisory={advisory} draft={draft} unsaved={unsaved} />
      <Text c="dimmed" size="sm" role="status">
        {isChanged ? 'Not saved yet' : 'Saved'}
      </Text>
      <PublishModal
        advisory={advisory}
        revision={draft.revision}
        content={content}
        opened={isPublishing}
        onClose={() => {
          setPublishing(false)
        }}
      />
    </Group>
  )
}

const nextStates = { draft: 'in_review', in_review: 'approved', approved: 'draft' } as const
const stateVerbs = { draft: 'Send to review', in_review: 'Approve', approved: 'Take back to draft' }
/** Told of what the act makes of the draft: the button has other words then, and is all that changes beside it. */
const doneWords = {
  draft: 'The draft waits for its review.',
  in_review: 'The draft is approved.',
  approved: 'It is a draft again.',
}

function ReviewButton({ advisory, draft, unsaved }: Props & { unsaved: string | undefined }): ReactNode {
  const workspace = useWorkspace()
  const { slug } = workspace
  const act = useAct({
    slug,
    send: () =>
      call(setAdvisoryDraftState, {
        params: { slug, advisory: advisory.id },
        body: { revision: draft.revision, state: nextStates[draft.state] },
      }),
    done: () => doneWords[draft.state],
  })
  const needed = draft.state === 'in_review' ? 'publish_advisories' : 'draft_advisories'
  return (
    <>
      <ActionButton
        variant="default"
        loading={act.isPending}
        refused={refusal(workspace, needed) ?? unsaved}
        onClick={() => {
          act.mutate()
        }}
      >
        {stateVerbs[draft.state]}
      </ActionButton>
      <Problem error={act.error} />
    </>
  )
}
