import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import type { AdvisoryContent, AdvisoryDetail, AdvisoryDraft } from '#contract/advisories/shapes.ts'
import { saveAdvisoryDraft } from '#contract/advisories/operations.ts'
import { refusal } from '../../workspaces/access.ts'
import { advisoryQuery, isLargeDraft, previewQuery } from '../queries.ts'
import { noteSaved, type Saved } from './note-saved.ts'
import { call } from '../../kit/api/call.ts'
import { isFailure } from '../../kit/api/request.ts'
import { useAct } from '../../kit/api/use-act.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { Problem } from '../../kit/page/Problem.tsx'
import { useUnsent } from '../../kit/unsaved/unsent.ts'
import { Conflict } from './Conflict.tsx'
import { DraftGone, NewerText } from './DraftNews.tsx'
import { EditorActions } from './EditorActions.tsx'
import { DraftFields } from './DraftFields.tsx'
import { FieldProblems, OpenVulnerability } from './fields.ts'
import { Preview } from './Preview.tsx'
import styles from './Preview.module.css'
import { useToldProblems } from './use-told-problems.ts'

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
