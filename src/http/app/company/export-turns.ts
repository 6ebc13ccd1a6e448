import { ServiceError } from '../../../contract/errors.ts'

/** Each keeps a session of the database for as long as its download takes. */
const mostAtOnce = 2
const retryAfterSeconds = 60

/** Which workspaces this process is exporting. */
export class ExportTurns {
  readonly #running = new Set<string>()

  /** Returns how to end it. Codes: `rate_limited`. */
  take(workspaceId: string): () => void {
    if (this.#running.has(workspaceId)) {
      throw new ServiceError('rate_limited', {
        message: 'An export of this workspace is being downloaded. Wait until it has ended.',
        retryAfterSeconds,
      })
    }
    if (this.#running.size >= mostAtOnce) {
      throw new ServiceError('rate_limited', {
        message: 'Other workspaces are being exported. Try again in a few minutes.',
        retryAfterSeconds,
      })
    }
    this.#running.add(workspaceId)
    return () => this.#running.delete(workspaceId)
  }
}
