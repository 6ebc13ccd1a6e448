import type { DraftValue, DraftValues } from '../../../../src/contract/incidents/report-drafts.ts'
import type { ReportDraftDetail } from '../../../../src/contract/incidents.ts'
import { isFailure } from '../../../api/request.ts'
import {
  afterSaving,
  chosen,
  hasSavable,
  isSame,
  rebased,
  savableValues,
  typed,
  type Choice,
  type DraftChanges,
} from './draft-changes.ts'

/** `away`: the service cannot be reached, and it is tried again. */
export type SaveState = 'saved' | 'typed' | 'saving' | 'away' | 'signed_out' | 'refused'

export type DraftNow = {
  saved: ReportDraftDetail
  changes: DraftChanges
  state: SaveState
  /** Of a saving that was refused. */
  error: Error | null
  /** What somebody else saved while the page was open, in fields where nothing was typed. */
  taken: { fields: readonly string[]; by: string | null } | null
  /** What was typed before came back from the browser's copy. */
  isRestored: boolean
}

/** What a draft needs of the page and the service. */
export type DraftHost = {
  save: (values: DraftValues, revision: number) => Promise<ReportDraftDetail>
  read: () => Promise<ReportDraftDetail>
  /** Keeps a copy in the browser; null: there is nothing to keep. */
  keep: (changes: DraftChanges | null) => void
  onSaved: (draft: ReportDraftDetail) => void
  /** Resolves to true once the person is signed in again; undefined where nobody is asked. */
  signedInAgain: () => Promise<boolean> | undefined
}

export type DraftText = {
  now: () => DraftNow
  listen: (listener: () => void) => () => void
  type: (field: string, to: DraftValue) => void
  choose: (field: string, choice: Choice) => void
  /** A newer state of it was read. */
  takeOver: (draft: ReportDraftDetail) => void
  /** `asItIs`: also where nothing was typed yet, so that it is kept. */
  saveNow: (asItIs?: boolean) => Promise<void>
  giveUp: () => void
  /** When something was typed last, in ms; 0: never. */
  typedAt: () => number
}

const pauseMs = 1_500
const firstRetryMs = 5_000
const lastRetryMs = 60_000
/** Two people who save at the same moment again and again do not keep each other busy. */
const mostTries = 5

/**
 * The text of a draft, which saves itself a moment after it was typed. It is not part of a page: it goes on when the page is left, until all of
 * it is saved. `restored`: what the browser had kept.
 */
export function openDraftText(draft: ReportDraftDetail, host: DraftHost, restored?: DraftChanges): DraftText {
  const kept = restored === undefined ? {} : rebased(restored, draft.values, lastSaver(draft))
  let state: DraftNow = {
    saved: draft,
    changes: kept,
    state: 'saved',
    error: null,
    taken: null,
    isRestored: Object.entries(kept).some(([field, { to }]) => !isSame(to, draft.values[field])),
  }
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let retryMs = firstRetryMs
  let lastTyped = 0

  function set(change: Partial<DraftNow>): void {
    state = { ...state, ...change }
    for (const listener of listeners) listener()
  }

  function change(changes: DraftChanges): void {
    set({ changes, ...(hasSavable(state.saved.values, changes) ? { state: 'typed', error: null } : {}) })
    keepCopy()
    soon(pauseMs)
  }

  function keepCopy(): void {
    const open = Object.entries(state.changes).filter(
      ([field, { to, theirs }]) => theirs !== undefined || !isSame(to, state.saved.values[field]),
    )
    host.keep(open.length === 0 ? null : Object.fromEntries(open))
  }

  /** Somebody who types without a pause is saved all the same. */
  function soon(ms: number): void {
    timer ??= setTimeout(() => {
      void saveNow()
    }, ms)
  }

  function stopTimer(): void {
    clearTimeout(timer)
    timer = undefined
  }

  function saveNow(asItIs = false): Promise<void> {
    stopTimer()
    running ??= saveAll(asItIs).finally(() => {
      running = undefined
    })
    return running
  }

  async function saveAll(asItIs: boolean): Promise<void> {
    if (asItIs && !hasSavable(state.saved.values, state.changes) && !(await saveOnce())) return
    for (let tries = 0; tries < mostTries && hasSavable(state.saved.values, state.changes); tries += 1) {
      if (!(await saveOnce())) return
    }
    if (!hasSavable(state.saved.values, state.changes)) set({ state: 'saved', error: null })
  }

  /** False: it is of no use to try again at once. */
  async function saveOnce(): Promise<boolean> {
    const { saved, changes: sent } = state
    set({ state: 'saving' })
    try {
      const answer = await host.save(savableValues(saved.values, sent), saved.revision)
      retryMs = firstRetryMs
      if (answer.revision >= state.saved.revision)
        set({ saved: answer, changes: afterSaving(state.changes, sent, answer.values) })
      keepCopy()
      host.onSaved(answer)
      return true
    } catch (error) {
      return failed(error)
    }
  }

  async function failed(error: unknown): Promise<boolean> {
    if (isFailure(error, 'conflict') && (await isOvertaken())) return true
    if (isFailure(error, 'signed_out')) {
      set({ state: 'signed_out' })
      void host.signedInAgain()?.then((isBack) => (isBack ? saveNow() : undefined))
      return false
    }
    if (isPassing(error)) {
      set({ state: 'away' })
      soon(retryMs)
      retryMs = Math.min(retryMs * 2, lastRetryMs)
      return false
    }
    set({ state: 'refused', error: error instanceof Error ? error : new Error(String(error)) })
    return false
  }

  /** Whether somebody else saved it meanwhile; what they wrote is taken over then. */
  async function isOvertaken(): Promise<boolean> {
    const before = state.saved.revision
    try {
      takeOver(await host.read())
    } catch (error) {
      return failed(error)
    }
    return state.saved.revision !== before
  }

  function takeOver(draft: ReportDraftDetail): void {
    const { saved, changes } = state
    if (draft.revision < saved.revision) return
    const isOther = (field: string) => !isSame(saved.values[field], draft.values[field])
    const fields = draft.form.fields.map(({ id }) => id).filter(isOther)
    if (draft.revision === saved.revision && fields.length === 0) return
    const left = rebased(changes, draft.values, lastSaver(draft))
    const taken = fields.filter((field) => left[field] === undefined)
    set({
      saved: draft,
      changes: left,
      ...(taken.length === 0 ? {} : { taken: { fields: taken, by: draft.savedBy } }),
    })
    keepCopy()
  }

  // what was saved as the page before was left needs no copy any more
  if (restored !== undefined) keepCopy()
  if (hasSavable(draft.values, kept)) soon(0)
  return {
    now: () => state,
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    type: (field, to) => {
      lastTyped = Date.now()
      change(typed(state.saved.values, state.changes, { field, to }))
    },
    choose: (field, choice) => {
      change(chosen(state.changes, state.saved.values, { field, choice }))
    },
    takeOver,
    saveNow,
    giveUp: () => {
      stopTimer()
      host.keep(null)
      set({ changes: {}, state: 'saved', error: null })
    },
    typedAt: () => lastTyped,
  }
}

function lastSaver({ savedBy, savedAt }: ReportDraftDetail): { by: string | null; at: string | null } {
  return { by: savedBy, at: savedAt }
}

const passing = ['unreachable', 'unreadable', 'internal', 'timeout', 'rate_limited'] as const

function isPassing(error: unknown): boolean {
  return passing.some((code) => isFailure(error, code))
}
