import { Worker } from 'node:worker_threads'
import type { LargeThreadData } from './large-thread.ts'
import { errorAnswer, type Answer, type TaskFile } from './messages.ts'
import { tooComplex } from './tasks.ts'

/**
 * The trees of real documents of 50 MB take up to 160 MB. With the small lane's heap, and the file's bytes and text, which lie
 * outside the heaps, the child stays under 512 MB (432 measured). The young generation is that of the child's flags.
 */
const heapMegabytes = { maxOldGenerationSizeMb: 224 }

/**
 * The lane of large files: a thread of its own inside the parser child, because reading 50 MB takes its processor for a second
 * and small files do not wait for it. It reads one file at a time.
 */
export class LargeLane {
  readonly #data: LargeThreadData
  #thread: Worker
  #current: { file: TaskFile; resolve: (answer: Answer) => void } | null = null

  constructor(data: LargeThreadData) {
    this.#data = data
    this.#thread = this.#start()
  }

  /** Reads a file; the next one is given after its answer. */
  read(file: TaskFile): Promise<Answer> {
    this.#thread.postMessage(file)
    return new Promise((resolve) => (this.#current = { file, resolve }))
  }

  async close(): Promise<void> {
    await this.#thread.terminate()
  }

  #start(): Worker {
    const thread = new Worker(new URL('./large-thread.ts', import.meta.url), {
      workerData: this.#data,
      resourceLimits: heapMegabytes,
    })
    thread.on('message', (answer: Answer) => this.#settle(answer))
    thread.on('error', (error: Error) => this.#bury(error))
    return thread
  }

  #settle(answer: Answer): void {
    this.#current?.resolve(answer)
    this.#current = null
  }

  /** Mostly V8 ends the whole child when a thread's heap runs out; sometimes it is only the thread that ends. */
  #bury(error: Error): void {
    if (this.#current === null) throw new Error('the large lane failed without a file', { cause: error })
    const isOutOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    const { kind } = this.#current.file
    this.#thread = this.#start()
    this.#settle(errorAnswer(isOutOfMemory ? tooComplex(kind) : error))
  }
}
