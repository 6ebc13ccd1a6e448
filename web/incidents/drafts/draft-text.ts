import type { DraftValue, DraftValues } from '#contract/incidents/report-drafts.ts'
import type { ReportDraftDetail } from '#contract/incidents/shapes.ts'
import { ApiFailure, isFailure, type FailureCode } from '../../kit/api/request.ts'
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

/** Failures that pass: saving is retried. */
const passing = [
  'unreachable',
  'unreadable',
  'internal',
  'timeout',
  'rate_limited',
] as const satisfies FailureCode[]

/** A passing failure is a state by its own name: each is told in its own words. */
export type SaveState = 'saved' | 'typed' | 'saving' | (typeof passing)[number] | 'signed_out' | 'refused'

export type DraftNow = {
  saved: ReportDraftDetail
  changes: DraftChanges
  state: SaveState
  /** Set when a save was refused. */
  error: Error | null
  /** Fields somebody else saved while the page was open and nothing was typed in them; who saved last, and when. */
  taken: { fields: readonly string[]; by: string | null; at: string | null } | null
  /** Unsaved text was restored from the browser's copy. */
  isRestored: boolean
}

/** What a draft needs of the page and the service. */
export type DraftHost = {
  save: (values: DraftValues, revision: number) => Promise<ReportDraftDetail>
  read: () => Promise<ReportDraftDetail>
  /** Keeps a copy in the browser; null removes it. */
  keep: (changes: DraftChanges | null) => void
  onSaved: (draft: ReportDraftDetail) => void
  /** Resolves to true once the person has signed in again; undefined where nobody can be asked. */
  signedInAgain: () => Promise<boolean> | undefined
}

export type DraftText = {
  now: () => DraftNow
  listen: (listener: () => void) => () => void
  type: (field: string, to: DraftValue) => void
  choose: (field: string, choice: Choice) => void
  /** A newer state was loaded. */
  takeOver: (draft: ReportDraftDetail) => void
  /** `asItIs`: save even if nothing was typed, so that the draft exists. */
  saveNow: (asItIs?: boolean) => Promise<void>
  giveUp: () => void
  /** When something was last typed, in ms; 0: never. */
  typedAt: () => number
}

const pauseMs = 1_500
const firstRetryMs = 5_000
const lastRetryMs = 60_000
/** Stops two people who keep saving at the same moment from retrying for ever. */
const maxTries = 5

/**
 * The text of a draft, saved automatically a moment after typing. It outlives its page and goes on until everything is saved. `restored`:
 * text kept by the browser.
 */
export function openDraftText(draft: ReportDraftDetail, host: DraftHost, restored?: DraftChanges): DraftText {
  return new SavingDraft(draft, host, restored)
}

class SavingDraft implements DraftText {
  readonly #host: DraftHost
  readonly #listeners = new Set<() => void>()
  #state: DraftNow
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #retryMs = firstRetryMs
  #lastTyped = 0

  constructor(draft: ReportDraftDetail, host: DraftHost, restored: DraftChanges | undefined) {
    this.#host = host
    const kept = restored === undefined ? {} : rebased(restored, draft.values, lastSaver(draft))
    this.#state = {
      saved: draft,
      changes: kept,
      state: 'saved',
      error: null,
      taken: null,
      isRestored: Object.entries(kept).some(([field, { to }]) => !isSame(to, draft.values[field])),
    }
    // text saved while the previous page was closing needs no copy any more
    if (restored !== undefined) this.#keepCopy()
    if (hasSavable(draft.values, kept)) this.#soon(0)
  }

  readonly now = (): DraftNow => this.#state

  readonly listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly typedAt = (): number => this.#lastTyped

  readonly type = (field: string, to: DraftValue): void => {
    this.#lastTyped = Date.now()
    this.#change(typed(this.#state.saved.values, this.#state.changes, { field, to }))
  }

  readonly choose = (field: string, choice: Choice): void => {
    this.#change(chosen(this.#state.changes, this.#state.saved.values, { field, choice }))
  }

  readonly takeOver = (draft: ReportDraftDetail): void => {
    const { saved, changes } = this.#state
    if (draft.revision < saved.revision) return
    const isOther = (field: string) => !isSame(saved.values[field], draft.values[field])
    const fields = draft.form.fields.map(({ id }) => id).filter(isOther)
    if (draft.revision === saved.revision && fields.length === 0) return
    const left = rebased(changes, draft.values, lastSaver(draft))
    const taken = fields.filter((field) => left[field] === undefined)
    this.#set({ saved: draft, changes: left, taken: this.#takenWith(taken, draft) })
    this.#keepCopy()
  }

  /** Whoever looks away for a while still reads of every field. */
  #takenWith(fields: readonly string[], draft: ReportDraftDetail): DraftNow['taken'] {
    const before = this.#state.taken
    if (fields.length === 0) return before
    return { fields: [...new Set([...(before?.fields ?? []), ...fields])], ...lastSaver(draft) }
  }

  readonly saveNow = (asItIs = false): Promise<void> => {
    this.#stopTimer()
    this.#running ??= this.#saveAll(asItIs).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  readonly giveUp = (): void => {
    this.#stopTimer()
    this.#host.keep(null)
    this.#set({ changes: {}, state: 'saved', error: null })
  }

  #set(change: Partial<DraftNow>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  #change(changes: DraftChanges): void {
    const isSavable = hasSavable(this.#state.saved.values, changes)
    this.#set({ changes, ...(isSavable ? { state: 'typed', error: null } : {}) })
    this.#keepCopy()
    this.#soon(pauseMs)
  }

  #keepCopy(): void {
    const open = Object.entries(this.#state.changes).filter(
      ([field, { to, theirs }]) => theirs !== undefined || !isSame(to, this.#state.saved.values[field]),
    )
    this.#host.keep(open.length === 0 ? null : Object.fromEntries(open))
  }

  /** Saves text typed without a pause, too. */
  #soon(ms: number): void {
    this.#timer ??= setTimeout(() => {
      void this.saveNow()
    }, ms)
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #isSaved(): boolean {
    return !hasSavable(this.#state.saved.values, this.#state.changes)
  }

  async #saveAll(asItIs: boolean): Promise<void> {
    if (asItIs && this.#isSaved() && !(await this.#saveOnce())) return
    for (let tries = 0; tries < maxTries && !this.#isSaved(); tries += 1) {
      if (!(await this.#saveOnce())) return
    }
    if (this.#isSaved()) this.#set({ state: 'saved', error: null })
  }

  /** False: retrying at once is pointless. */
  async #saveOnce(): Promise<boolean> {
    const { saved, changes: sent } = this.#state
    this.#set({ state: 'saving' })
    try {
      const answer = await this.#host.save(savableValues(saved.values, sent), saved.revision)
      this.#retryMs = firstRetryMs
      if (answer.revision >= this.#state.saved.revision)
        this.#set({ saved: answer, changes: afterSaving(this.#state.changes, sent, answer.values) })
      this.#keepCopy()
      this.#host.onSaved(answer)
      return true
    } catch (error) {
      return this.#failed(error)
    }
  }

  async #failed(error: unknown): Promise<boolean> {
    if (isFailure(error, 'conflict') && (await this.#isOvertaken())) return true
    if (isFailure(error, 'signed_out')) {
      this.#set({ state: 'signed_out' })
      void this.#host.signedInAgain()?.then((isBack) => (isBack ? this.saveNow() : undefined))
      return false
    }
    const passes = passing.find((code) => isFailure(error, code))
    if (passes !== undefined) {
      this.#set({ state: passes })
      this.#soon(Math.max(this.#retryMs, askedPauseMs(error)))
      this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs)
      return false
    }
    this.#set({ state: 'refused', error: error instanceof Error ? error : new Error(String(error)) })
    return false
  }

  /** Whether somebody else saved meanwhile; if so, takes over their values. */
  async #isOvertaken(): Promise<boolean> {
    const before = this.#state.saved.revision
    try {
      this.takeOver(await this.#host.read())
    } catch (error) {
      return this.#failed(error)
    }
    return this.#state.saved.revision !== before
  }
}

function lastSaver({ savedBy, savedAt }: ReportDraftDetail): { by: string | null; at: string | null } {
  return { by: savedBy, at: savedAt }
}

function askedPauseMs(error: unknown): number {
  return error instanceof ApiFailure ? (error.retryAfterSeconds ?? 0) * 1_000 : 0
}
