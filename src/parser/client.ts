import { ServiceError } from '../contract/errors.ts'
import { LaneProcess, type LaneOptions } from './lane-process.ts'
import { lanes, likelyLane, type Lane } from './lanes.ts'
import { errorOf, type Answer, type OwnedFile } from './messages.ts'
import type { OwnedBytes } from './owned-bytes.ts'
import type { ParserTasks, TaskKind } from './tasks.ts'
import { tooComplex } from './too-complex.ts'
import { WaitingFiles } from './waiting-files.ts'

/** The HTTP process's way to its parser children, one for small files and one for large ones. */
export type Parser = {
  /** Has a file read and its task done. Throws the task's refusals, and `internal` when there is no room or the child died. */
  run<K extends TaskKind>(job: ParserJob<K>): Promise<ParserTasks[K]['answer']>
  state(): ParserState
  /** Ends the children after the files they have; one that takes longer than `withinMs` is killed. */
  close(withinMs: number): Promise<void>
}

export type ParserJob<K extends TaskKind> = {
  kind: K
  /** Whose turn it takes. */
  workspaceId: string
  upload: ParserTasks[K]['upload']
  /** As received. The parser owns it from here on, and releases it. */
  body: OwnedBytes
}

export type ParserState = {
  /** Whether small files are taken; large ones wait while their process is replaced. */
  isReady: boolean
  /** Of the process that reads small files. */
  pid: number | undefined
  waitingFiles: number
  waitingBytes: number
  handedFiles: number
  /** Its process is there once the first large file has come. */
  large: { pid: number | undefined; isReading: boolean }
}

export type ParserOptions = Omit<LaneOptions, 'sessions'> & {
  /** The maximum number of sessions for small files; default: one for each that is read at a time. */
  poolSize?: number
}

type PendingFile = OwnedFile & {
  lane: Lane
  workspaceId: string
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

/** Decisions, "too much at once". */
const waitingBounds = { maxFiles: 100, maxBytes: 256 * 1024 * 1024 }
const retryAfterSeconds = 5

export function startParser(options: ParserOptions): Parser {
  return new ParserClient(options)
}

class ParserClient implements Parser {
  readonly #waiting = new WaitingFiles<PendingFile>(waitingBounds)
  readonly #lanes: Record<Lane, LaneProcess<PendingFile>>
  #lastId = 0
  #onIdle: (() => void) | null = null

  constructor({ poolSize, ...options }: ParserOptions) {
    const start = (lane: Lane, sessions: number) =>
      new LaneProcess<PendingFile>(
        lane,
        { ...options, sessions },
        {
          onAnswer: (file, answer) => this.#settle(file, answer),
          onLost: (file, death) => file.reject(deathOf(file, death)),
          onUnread: (file) => this.#waiting.putBack(file),
          onChange: () => this.#change(),
          onHopeless: () => this.#turnAllAway(lane),
        },
      )
    this.#lanes = {
      small: start('small', poolSize ?? lanes.small.sessions),
      large: start('large', lanes.large.sessions),
    }
  }

  async run<K extends TaskKind>({
    kind,
    workspaceId,
    upload,
    body,
  }: ParserJob<K>): Promise<ParserTasks[K]['answer']> {
    try {
      const value = await new Promise<unknown>((resolve, reject) => {
        this.#lastId += 1
        const lane = likelyLane(body.bytes)
        const turnedAway = this.#waiting.add({
          id: this.#lastId,
          lane,
          kind,
          upload,
          body,
          workspaceId,
          resolve,
          reject,
        })
        for (const other of turnedAway) other.reject(noRoom())
        this.#lanes[lane].need()
        this.#handOver()
      })
      return value as ParserTasks[K]['answer']
    } finally {
      body.release()
    }
  }

  state(): ParserState {
    const { small, large } = this.#lanes
    return {
      isReady: small.isReady,
      pid: small.pid,
      waitingFiles: this.#waiting.files,
      waitingBytes: this.#waiting.bytes,
      handedFiles: small.files + large.files,
      large: { pid: large.pid, isReading: large.isReading },
    }
  }

  async close(withinMs: number): Promise<void> {
    const killing = new AbortController()
    const timer = setTimeout(() => {
      killing.abort()
      this.#onIdle?.()
    }, withinMs)
    if (!this.#isIdle()) await new Promise<void>((resolve) => (this.#onIdle = resolve))
    await Promise.all([this.#lanes.small.close(killing.signal), this.#lanes.large.close(killing.signal)])
    clearTimeout(timer)
  }

  #isIdle(): boolean {
    return this.#lanes.small.files + this.#lanes.large.files + this.#waiting.files === 0
  }

  #change(): void {
    this.#handOver()
    if (this.#isIdle()) this.#onIdle?.()
  }

  /** Gives the children as many waiting files as they hold. */
  #handOver(): void {
    const takes = ({ lane }: PendingFile) => this.#lanes[lane].hasRoom()
    for (let file = this.#waiting.take(takes); file; file = this.#waiting.take(takes)) {
      this.#lanes[file.lane].hand(file)
    }
  }

  #settle(file: PendingFile, answer: Answer): void {
    if (answer.kind === 'done') file.resolve(answer.value)
    else if (isForLargeLane(file, answer)) this.#moveToLarge(file)
    else file.reject(errorOf(answer))
  }

  #moveToLarge(file: PendingFile): void {
    this.#waiting.putBack({ ...file, lane: 'large' })
    this.#lanes.large.need()
  }

  #turnAllAway(lane: Lane): void {
    const waits = (file: PendingFile) => file.lane === lane
    for (let file = this.#waiting.take(waits); file; file = this.#waiting.take(waits)) file.reject(noRoom())
  }
}

/** The small lane's bound is not the contract's. */
function isForLargeLane(file: PendingFile, answer: Answer): boolean {
  return file.lane === 'small' && answer.kind === 'refused' && answer.refusal.code === 'too_large'
}

/** Only the large lane's heap can run out: what small files need is bounded by their size. */
function deathOf(file: PendingFile, { isOutOfMemory }: { isOutOfMemory: boolean }): ServiceError {
  if (isOutOfMemory && file.lane === 'large') return tooComplex(file.kind)
  return new ServiceError('internal', { retryAfterSeconds: 1 })
}

function noRoom(): ServiceError {
  return new ServiceError('internal', { detail: 'too many files are waiting to be read', retryAfterSeconds })
}
