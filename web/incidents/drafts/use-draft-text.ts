import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { DraftValues } from '#contract/incidents/report-drafts.ts'
import type { ReportDraftDetail } from '#contract/incidents/shapes.ts'
import { getDraft, saveDraft } from '#contract/incidents/report-operations.ts'
import { getDraftForm } from '#contract/incidents/operations.ts'
import { call } from '../../kit/api/call.ts'
import { draftQuery, type DraftKey } from '../queries.ts'
import { dropText, keepText, keptText, keptTextKey } from '../../kit/unsaved/kept-texts.ts'
import { sessionQuery } from '../../sign-in/session-query.ts'
import { ApiFailure } from '../../kit/api/request.ts'
import { sessionEnded } from '../../kit/api/session-end.ts'
import { savesItself } from '../../kit/unsaved/unsaved.ts'
import { hasChoices, hasSavable, shownValues, type DraftChanges } from './draft-changes.ts'
import { openDraftText, type DraftHost, type DraftNow, type DraftText } from './draft-text.ts'

type Held = { text: DraftText; place: DraftKey; pages: number; release: () => void }

/** Drafts that are shown or not yet saved: saving goes on after the page is closed. */
const held = new Map<string, Held>()

/** The draft of a report and what was typed into it. It saves itself, and every page shows the same instance. */
export function useDraftText(place: DraftKey, draft: ReportDraftDetail): DraftText & { state: DraftNow } {
  const queryClient = useQueryClient()
  const [person] = useState(() => queryClient.getQueryData(sessionQuery.queryKey)?.person.id ?? '')
  const key = keptTextKey(person, place.slug, place.report)
  const [one] = useState(() => held.get(key) ?? hold(key, { person, place, draft, queryClient }))
  const state = useSyncExternalStore(one.text.listen, one.text.now)
  useEffect(() => show(key, one), [key, one])
  useEffect(() => {
    one.text.takeOver(draft)
  }, [one, draft])
  return { ...one.text, state }
}

/** The values pages show for these drafts, saved or not; for drafts that are not open, those of the service. */
export function shownTexts(reports: readonly string[]): Record<string, DraftValues> {
  return Object.fromEntries(
    [...held.values()].flatMap(({ text, place }) => {
      const { saved, changes } = text.now()
      return reports.includes(place.report)
        ? [[place.report, shownValues(saved.values, changes)] as const]
        : []
    }),
  )
}

/** The names of the fields of all drafts that are open, by id. */
export function shownLabels(): Record<string, string> {
  const fields = [...held.values()].flatMap(({ text }) => text.now().saved.form.fields)
  return Object.fromEntries(fields.map(({ id, label }) => [id, label]))
}

/** Keeps the draft until the returned function is called; unsaved text is then saved at once, and the draft kept until it is. */
function show(key: string, one: Held): () => void {
  held.set(key, one)
  one.pages += 1
  // save what was refused because the session had ended, or left by the previous page
  void one.text.saveNow()
  const onHidden = () => {
    if (document.visibilityState === 'hidden') void one.text.saveNow()
  }
  document.addEventListener('visibilitychange', onHidden)
  return () => {
    document.removeEventListener('visibilitychange', onHidden)
    one.pages -= 1
    void one.text.saveNow().then(() => {
      if (one.pages === 0 && !isOpen(one.text)) {
        one.release()
        held.delete(key)
      }
    })
  }
}

function isOpen(text: DraftText): boolean {
  const { saved, changes } = text.now()
  return hasChoices(changes) || hasSavable(saved.values, changes)
}

type Holding = { person: string; place: DraftKey; draft: ReportDraftDetail; queryClient: QueryClient }

function hold(key: string, holding: Holding): Held {
  const { person, place, draft } = holding
  const kept = keptText(key, Date.now())
  const text = openDraftText(draft, hostOf(key, holding), kept?.changes as DraftChanges | undefined)
  const { saveNow, giveUp } = text
  return { text, place, pages: 0, release: savesItself({ person, saveNow, giveUp }) }
}

function hostOf(key: string, { person, place, queryClient }: Holding): DraftHost {
  const isStillTheirs = () => queryClient.getQueryData(sessionQuery.queryKey)?.person.id === person
  return {
    save: async (values, revision) => {
      // somebody else may have signed in since
      if (!isStillTheirs())
        throw new ApiFailure({ code: 'signed_out', message: 'Somebody else is signed in.' })
      return call(saveDraft, { params: place, body: { revision, values } })
    },
    read: () => call(getDraft, { params: place }),
    keep: (changes) => {
      if (changes === null) dropText(key)
      else keepText(key, changes, Date.now())
    },
    onSaved: (saved) => {
      queryClient.setQueryData(draftQuery(place).queryKey, saved)
      void forgetWhatFollows(queryClient, place)
    },
    signedInAgain: sessionEnded,
  }
}

/** Drafts of later stages start from this one. */
async function forgetWhatFollows(queryClient: QueryClient, place: DraftKey): Promise<void> {
  await queryClient.invalidateQueries({
    refetchType: 'none',
    predicate: ({ queryKey: [, slug, path, params] }) => {
      const of = params as { incident?: string; report?: string } | undefined
      const isDraft = path === getDraft.path || path === getDraftForm.path
      return slug === place.slug && isDraft && of?.incident === place.incident && of.report !== place.report
    },
  })
}
