import pino from 'pino'
import type { Db } from '../../src/database/connection.ts'
import type { JobKind } from '../../src/jobs.ts'
import { claimJob } from '../../src/queue/claim.ts'
import type { Tasks } from '../../src/queue/run-next.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { enqueueJob } from '../support/enqueue-job.ts'
import { payloadOf } from '../support/payloads.ts'

export const oneWorkspace = '00000000-0000-7000-8000-000000000001'
export const anotherWorkspace = '00000000-0000-7000-8000-000000000002'

/** A queue with jobs that a test enqueues and claims. */
export class QueueScene {
  readonly db: Db
  readonly #store: TestDatabase

  static async open(): Promise<QueueScene> {
    return new QueueScene(await createTestDatabase())
  }

  private constructor(store: TestDatabase) {
    this.#store = store
    this.db = store.db
  }

  refresh(familyId: string, workspaceId = oneWorkspace): Promise<void> {
    return enqueueJob(this.db, {
      kind: 'refresh_findings',
      key: familyId,
      workspaceId,
      payload: { workspaceId, familyId },
      runAt: testNow,
    })
  }

  claim(worker = 'w', now = testNow) {
    return claimJob(this.db, { now, worker, except: [], ignoreBackoff: false })
  }

  /** What a worker is started with. */
  worker(tasks: Tasks) {
    const log = pino({ level: 'silent' })
    return { db: this.db, queue: this.db, now: () => testNow, log, name: 'w', tasks }
  }

  async empty(): Promise<void> {
    await this.db.deleteFrom('job').execute()
  }

  close(): Promise<void> {
    return this.#store.drop()
  }
}

/** The family that a job refreshes. */
export const familyOf = (job: { payload: unknown } | undefined) =>
  job && payloadOf('refresh_findings', job).familyId

/** Of every kind of job. */
export function tasks(
  run: (kind: JobKind, payload: unknown) => Promise<void>,
  giveUp?: (reason: string) => void,
): Tasks {
  const task = (kind: JobKind) => ({
    run: (payload: unknown) => run(kind, payload),
    giveUp: (_payload: unknown, reason: string) => {
      giveUp?.(reason)
      return Promise.resolve()
    },
  })
  return new Proxy({} as Tasks, { get: (_target, kind) => task(kind as JobKind) })
}
