import { fork, type ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import type { StoreCall } from '../originals/originals.ts'
import { lanes, type Lane } from './lanes.ts'
import { lowerPriority } from './lower-priority.ts'
import type { Answer, FromChild, OwnedFile, ParserStart, ToChild } from './messages.ts'

export type LaneOptions = {
  /** The module that calls `runParserChild`, and its arguments; the lane follows them. */
  entry: { module: string; args: string[] }
  /** Children load their program until it is known. If it cannot be opened, its opener closes the parser. */
  store: Promise<Pick<ParserStart, 'connection' | 'originals'>>
  /** Lab seam of the product clock; null: none. */
  clockOffsetFile: string | null
  /** Called for each call that the object store has not done. */
  onObjectStoreFailed?: (call: StoreCall) => void
  sessions: number
  /** How long a child that has files may say nothing. Default: as long as one file may take. */
  silentMs?: number
  log: Logger
}

/** What a lane calls for its files; it gives each back exactly once. */
export type LaneEvents<File> = {
  onAnswer: (file: File, answer: Answer) => void
  /** The process died over this file. */
  onLost: (file: File, death: { isOutOfMemory: boolean }) => void
  /** The process died before it began this file. */
  onUnread: (file: File) => void
  /** It takes files, or has become idle. */
  onChange: () => void
  /** It cannot be started: callers should not wait for it. */
  onHopeless: () => void
}

type Handed<File> = { file: File; timer: NodeJS.Timeout | undefined; hasBegun: boolean }

/** No file of legal size takes a tenth of it; a child that does is stuck. */
const fileTimeoutMs = 120_000
const restartPauseMs = 1_000
/** How long a process that has grown waits for the next file before it is replaced. */
const idleMs = 2_000
const megabyte = 1024 * 1024

/** The process of one lane: started again when it dies, and replaced when it keeps memory that it does not need. */
export class LaneProcess<File extends OwnedFile> {
  readonly lane: Lane
  readonly #options: LaneOptions
  readonly #events: LaneEvents<File>
  readonly #handed = new Map<number, Handed<File>>()
  /** Missing until the first file, where that starts it. */
  #child: ChildProcess | undefined
  #isReady = false
  #isFree = true
  #isClosing = false
  #replacing: NodeJS.Timeout | undefined
  #silence: NodeJS.Timeout | undefined

  constructor(lane: Lane, options: LaneOptions, events: LaneEvents<File>) {
    this.lane = lane
    this.#options = options
    this.#events = events
    if (!lanes[lane].isStartedByFile) this.#child = this.#start()
  }

  get isReady(): boolean {
    return this.#isReady
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  get files(): number {
    return this.#handed.size
  }

  get isReading(): boolean {
    return this.#handed.values().some(({ hasBegun }) => hasBegun)
  }

  hasRoom(): boolean {
    return this.#isReady && this.#isFree && this.#handed.size < lanes[this.lane].handedFiles
  }

  /** A file waits for it. */
  need(): void {
    if (!this.#isClosing) this.#child ??= this.#start()
  }

  hand(file: File): void {
    clearTimeout(this.#replacing)
    if (this.#handed.size === 0) this.#listen()
    this.#handed.set(file.id, { file, timer: undefined, hasBegun: false })
    const { id, kind, upload, body } = file
    this.#tell({ type: 'file', id, kind, upload, body: body.bytes })
  }

  /** The caller has waited until no file is left, or for as long as it could. */
  async close(killing: AbortSignal): Promise<void> {
    this.#isClosing = true
    clearTimeout(this.#replacing)
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const kill = () => child.kill('SIGKILL')
    // One that was never ready has nothing to finish.
    if (killing.aborted || !this.#isReady) kill()
    killing.addEventListener('abort', kill)
    this.#tell({ type: 'stop' })
    await exited
    killing.removeEventListener('abort', kill)
  }

  #start(): ChildProcess {
    const { entry, log } = this.#options
    const child = fork(entry.module, [...entry.args, this.lane], {
      serialization: 'advanced',
      execArgv: [...lanes[this.lane].heapFlags, '--expose-gc'],
    })
    child.on('message', (message) => {
      if (child === this.#child) this.#hear(message as FromChild)
    })
    child.on('error', (error) => {
      log.error({ err: error }, 'the parser child could not be reached')
      if (child.pid === undefined) this.#bury(child, { code: null, signal: null })
    })
    child.once('exit', (code, signal) => this.#bury(child, { code, signal }))
    if (this.lane === 'large') readProgramBehindOthers(child)
    void this.#tellStore(child)
    return child
  }

  async #tellStore(child: ChildProcess): Promise<void> {
    const { clockOffsetFile, sessions } = this.#options
    const store = await this.#options.store.catch(() => null)
    if (store !== null) send(child, { type: 'start', ...store, clockOffsetFile, sessions })
  }

  #tell(message: ToChild): void {
    if (this.#child !== undefined) send(this.#child, message)
  }

  #hear(message: FromChild): void {
    this.#listen()
    switch (message.type) {
      case 'ready':
        this.#isReady = true
        this.#isFree = true
        this.#events.onChange()
        break
      case 'begun':
        this.#begin(message.id)
        break
      case 'answer':
        this.#settle(message.id, message.answer)
        break
      case 'object_store_failed':
        this.#options.onObjectStoreFailed?.(message.call)
        break
      case 'free':
        this.#isFree = true
        this.#replaceWhenIdle(message.residentBytes / megabyte)
        this.#events.onChange()
    }
  }

  /** One that has been stopped, or waits for what never comes, begins nothing, and says nothing. */
  #listen(): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => {
      if (this.#handed.size === 0) return
      this.#options.log.error({ lane: this.lane }, 'the parser child says nothing any more')
      this.#child?.kill('SIGKILL')
    }, this.#options.silentMs ?? fileTimeoutMs).unref()
  }

  #begin(id: number): void {
    const handed = this.#handed.get(id)
    if (handed === undefined) return
    handed.hasBegun = true
    // From here on nobody else gets a large file, whatever becomes of it; a small one may be too large for its lane.
    if (this.lane === 'large') handed.file.body.release()
    handed.timer = setTimeout(() => {
      this.#options.log.error({ lane: this.lane, kind: handed.file.kind }, 'a file holds up the parser child')
      this.#child?.kill('SIGKILL')
    }, fileTimeoutMs).unref()
  }

  #settle(id: number, answer: Answer): void {
    const handed = this.#handed.get(id)
    if (handed === undefined) return
    this.#handed.delete(id)
    clearTimeout(handed.timer)
    // A large file is answered before its memory is free.
    this.#isFree = this.lane === 'small'
    this.#events.onAnswer(handed.file, answer)
    this.#events.onChange()
  }

  #replaceWhenIdle(residentMegabytes: number): void {
    clearTimeout(this.#replacing)
    if (this.#isClosing || residentMegabytes <= lanes[this.lane].maxIdleMegabytes) return
    this.#replacing = setTimeout(() => this.#replace(), idleMs).unref()
  }

  /** The heap gives back little of what it once had: a new process does. The old one has no file and ends by itself. */
  #replace(): void {
    if (this.#isClosing || this.#handed.size > 0) return
    this.#tell({ type: 'stop' })
    this.#isReady = false
    this.#child = this.#start()
  }

  /** The child is dead: what it had begun is answered, the rest waits for the next child. */
  #bury(child: ChildProcess, { code, signal }: { code: number | null; signal: NodeJS.Signals | null }): void {
    if (child !== this.#child) return
    const wasReady = this.#isReady
    this.#isReady = false
    clearTimeout(this.#replacing)
    const isOutOfMemory = signal === 'SIGABRT' || code === 134
    const files = [...this.#handed.values()].reverse()
    this.#handed.clear()
    for (const { file, hasBegun, timer } of files) {
      clearTimeout(timer)
      if (hasBegun) this.#events.onLost(file, { isOutOfMemory })
      else this.#events.onUnread(file)
    }
    // A child that died before it was ready will not be ready soon: waiting callers are told to come back.
    if (this.#isClosing || !wasReady) this.#events.onHopeless()
    if (this.#isClosing) return
    const { log } = this.#options
    log.error(
      { lane: this.lane, code, signal, files: files.length },
      'the parser child died and is started again',
    )
    if (wasReady) this.#child = this.#start()
    else setTimeout(() => this.#startAgain(), restartPauseMs).unref()
    this.#events.onChange()
  }

  #startAgain(): void {
    if (!this.#isClosing) this.#child = this.#start()
  }
}

/** What answers, and what reads small files, go before it from the beginning. */
function readProgramBehindOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) lowerPriority(pid)
  } catch {
    // It has ended, and its exit is dealt with.
  }
}

function send(child: ChildProcess, message: ToChild): void {
  if (child.connected) child.send(message, leaveToExit)
}

/** A message that cannot be sent means a dead child, and its exit settles the files it was given. */
function leaveToExit(): void {
  return
}
