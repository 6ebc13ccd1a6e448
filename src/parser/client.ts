import { fork, type ChildProcess } from 'node:child_process'
import type { Logger } from 'pino'
import { ServiceError } from '../contract/errors.ts'
import { handedFiles } from './lanes.ts'
import {
  errorOf,
  type Answer,
  type FromChild,
  type Lane,
  type ParserStart,
  type TaskFile,
  type ToChild,
} from './messages.ts'
import { tooComplex, type ParserTasks, type TaskKind } from './tasks.ts'
import { WaitingFiles } from './waiting-files.ts'

/** The HTTP process's way to its parser child. */
export type Parser = {
  /** Has a file read and its task done. Throws the task's refusals, and `internal` when there is no room or the child died. */
  run<K extends TaskKind>(job: ParserJob<K>): Promise<ParserTasks[K]['answer']>
  state(): ParserState
  /** Ends the child after the files it has; a child that takes longer than `withinMs` is killed. */
  close(withinMs: number): Promise<void>
}

export type ParserJob<K extends TaskKind> = {
  kind: K
  /** Whose turn it takes. */
  workspaceId: string
  order: ParserTasks[K]['order']
  /** As received. */
  body: Uint8Array
}

export type ParserState = {
  isReady: boolean
  pid: number | undefined
  waitingFiles: number
  waitingBytes: number
  handedFiles: number
  /** Whether the child is reading a large file. */
  largeFile: boolean
}

export type ParserOptions = ParserStart & {
  /** The module that calls `runParserChild`, and its arguments. */
  entry: { module: string; args: string[] }
  log: Logger
}

type PendingFile = TaskFile & {
  workspaceId: string
  hasBegun: boolean
  timer: NodeJS.Timeout | undefined
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

/** Decisions, "too much at once". */
const waitingBounds = { maxFiles: 100, maxBytes: 256 * 1024 * 1024 }
/**
 * The small lane's heap. With larger semi-spaces the old generation fragments until the collector runs without end; with these
 * it stays at a fifth of the bound.
 */
const heapFlags = ['--max-old-space-size=160', '--max-semi-space-size=4']
/** No file of legal size takes a tenth of it; a child that does is stuck. */
const fileTimeoutMs = 120_000
const restartPauseMs = 1_000
const retryAfterSeconds = 5

export function startParser(options: ParserOptions): Parser {
  return new ParserClient(options)
}

class ParserClient implements Parser {
  readonly #options: ParserOptions
  readonly #waiting = new WaitingFiles<PendingFile>(waitingBounds)
  readonly #handed = new Map<number, PendingFile>()
  #child: ChildProcess
  #isReady = false
  #isClosing = false
  #lastId = 0
  #onIdle: (() => void) | null = null

  constructor(options: ParserOptions) {
    this.#options = options
    this.#child = this.#start()
  }

  async run<K extends TaskKind>({
    kind,
    workspaceId,
    order,
    body,
  }: ParserJob<K>): Promise<ParserTasks[K]['answer']> {
    const value = await new Promise<unknown>((resolve, reject) => {
      this.#lastId += 1
      const file = { id: this.#lastId, lane: 'small' as const, kind, order, body, workspaceId }
      const turnedAway = this.#waiting.add({ ...file, hasBegun: false, timer: undefined, resolve, reject })
      for (const other of turnedAway) other.reject(noRoom())
      this.#handOver()
    })
    return value as ParserTasks[K]['answer']
  }

  state(): ParserState {
    return {
      isReady: this.#isReady,
      pid: this.#child.pid,
      waitingFiles: this.#waiting.files,
      waitingBytes: this.#waiting.bytes,
      handedFiles: this.#handed.size,
      largeFile: [...this.#handed.values()].some((file) => file.lane === 'large' && file.hasBegun),
    }
  }

  async close(withinMs: number): Promise<void> {
    this.#isClosing = true
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()))
    const killing = setTimeout(() => this.#child.kill('SIGKILL'), withinMs)
    if (!this.#isIdle())
      await Promise.race([exited, new Promise<void>((resolve) => (this.#onIdle = resolve))])
    this.#tell({ type: 'stop' })
    await exited
    clearTimeout(killing)
  }

  #isIdle(): boolean {
    return this.#handed.size + this.#waiting.files === 0
  }

  #start(): ChildProcess {
    const { entry, connection, clockOffsetFile, poolSize, log } = this.#options
    const child = fork(entry.module, entry.args, {
      serialization: 'advanced',
      execArgv: [...heapFlags, '--expose-gc'],
    })
    child.on('message', (message) => this.#hear(message as FromChild))
    child.on('error', (error) => {
      log.error({ err: error }, 'the parser child could not be reached')
      if (child.pid === undefined) this.#bury({ code: null, signal: null })
    })
    child.once('exit', (code, signal) => this.#bury({ code, signal }))
    const sessions = poolSize === undefined ? {} : { poolSize }
    child.send({ type: 'start', connection, clockOffsetFile, ...sessions } satisfies ToChild, leaveToExit)
    return child
  }

  #tell(message: ToChild): void {
    if (this.#child.connected) this.#child.send(message, leaveToExit)
  }

  #hear(message: FromChild): void {
    switch (message.type) {
      case 'ready':
        this.#isReady = true
        this.#handOver()
        break
      case 'begun':
        this.#begin(message.id)
        break
      case 'answer':
        this.#settle(message.id, message.answer)
    }
  }

  /** Gives the child as many waiting files as its lanes hold. */
  #handOver(): void {
    while (this.#isReady) {
      const file = this.#waiting.take(({ lane }) => this.#handedIn(lane) < handedFiles[lane])
      if (file === undefined) return
      this.#handed.set(file.id, file)
      const { id, lane, kind, order, body } = file
      this.#tell({ type: 'file', id, lane, kind, order, body })
    }
  }

  #handedIn(lane: Lane): number {
    return [...this.#handed.values()].filter((file) => file.lane === lane).length
  }

  #begin(id: number): void {
    const file = this.#handed.get(id)
    if (file === undefined) return
    file.hasBegun = true
    file.timer = setTimeout(() => {
      this.#options.log.error({ lane: file.lane, kind: file.kind }, 'a file holds up the parser child')
      this.#child.kill('SIGKILL')
    }, fileTimeoutMs).unref()
  }

  #settle(id: number, answer: Answer): void {
    const file = this.#handed.get(id)
    if (file === undefined) return
    this.#handed.delete(id)
    clearTimeout(file.timer)
    if (answer.kind === 'done') file.resolve(answer.value)
    else if (isForLargeLane(file, answer)) this.#waiting.putBack({ ...file, lane: 'large', hasBegun: false })
    else file.reject(errorOf(answer))
    this.#handOver()
    if (this.#isIdle()) this.#onIdle?.()
  }

  /** The child is dead: what it had begun is answered, the rest waits for the next child. */
  #bury({ code, signal }: { code: number | null; signal: NodeJS.Signals | null }): void {
    const wasReady = this.#isReady
    this.#isReady = false
    const isOutOfMemory = signal === 'SIGABRT' || code === 134
    const files = [...this.#handed.values()].reverse()
    this.#handed.clear()
    for (const file of files) {
      clearTimeout(file.timer)
      if (file.hasBegun) file.reject(deathOf(file, isOutOfMemory))
      else this.#waiting.putBack(file)
    }
    // A child that dies before it is ready will not be better at once: those who wait are told to come back.
    if (this.#isClosing || !wasReady) this.#turnAllAway()
    if (this.#isClosing) return
    this.#options.log.error(
      { code, signal, files: files.length },
      'the parser child died and is started again',
    )
    if (wasReady) this.#child = this.#start()
    else setTimeout(() => this.#startAgain(), restartPauseMs).unref()
  }

  #startAgain(): void {
    if (!this.#isClosing) this.#child = this.#start()
  }

  #turnAllAway(): void {
    for (let file = this.#waiting.take(() => true); file; file = this.#waiting.take(() => true))
      file.reject(noRoom())
  }
}

/** The small lane's bound is not the contract's. */
function isForLargeLane(file: PendingFile, answer: Answer): boolean {
  return file.lane === 'small' && answer.kind === 'refused' && answer.refusal.code === 'too_large'
}

/** Only the large lane's heap can run out: what small files need is bounded by their size. */
function deathOf(file: PendingFile, isOutOfMemory: boolean): ServiceError {
  if (isOutOfMemory && file.lane === 'large') return tooComplex(file.kind)
  return new ServiceError('internal', { retryAfterSeconds: 1 })
}

function noRoom(): ServiceError {
  return new ServiceError('internal', { detail: 'too many files are waiting to be read', retryAfterSeconds })
}

/** A message that cannot be sent means a dead child, and its exit settles the files it was given. */
function leaveToExit(): void {
  return
}
