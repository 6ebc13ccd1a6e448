import { ServiceError, type ErrorCode } from '../contract/errors.ts'
import type { Db } from '../database/connection.ts'
import type { Clock } from '../platform/clock.ts'
import type { Originals } from '../originals/originals.ts'
import { receiveNotification } from '../sbom/connector/receive-notification.ts'
import type { NotificationUpload, NotificationOutcome } from '../sbom/connector/upload.ts'
import { readStoredGraph, type UnreadGraph } from '../sbom/dependencies/read-stored-graph.ts'
import type { StoredSbom } from '../sbom/receipt.ts'
import { receiveSbom } from '../sbom/receive-sbom.ts'
import type { SbomUpload } from '../sbom/upload.ts'
import { findReferences, type Wanted, type FoundReference } from '../vex/binding/find-references.ts'
import type { StoredVex } from '../vex/documents/receipt.ts'
import { receiveVex } from '../vex/documents/receive-vex.ts'
import { storeReported } from '../vex/documents/store-reported.ts'
import type { VexUpload } from '../vex/documents/upload.ts'

/** The work that is done in the parser child: everything that costs CPU in proportion to a foreign file. */
export type ParserTasks = {
  store_sbom: { upload: SbomUpload; answer: StoredSbom }
  store_notification: { upload: NotificationUpload; answer: NotificationOutcome }
  store_vex: { upload: VexUpload; answer: StoredVex }
  /** Of a stored SBOM; writes nothing. */
  find_references: { upload: Wanted; answer: FoundReference[] }
  /** Of an SBOM that an earlier release stored. */
  read_dependencies: { upload: UnreadGraph; answer: null }
}

export type TaskKind = keyof ParserTasks

export type TaskBounds = {
  /** Bounds the inflated file: a larger one is `too_large`. */
  maxFileBytes: number
  clock: Clock
  originals: Originals
}

type Task = {
  [K in TaskKind]: {
    perform: (
      db: Db,
      upload: ParserTasks[K]['upload'],
      body: Uint8Array,
      bounds: TaskBounds,
    ) => Promise<ParserTasks[K]['answer']>
    /** The code of a file that the child's memory cannot hold. */
    tooComplex: ErrorCode
  }
}

export const parserTasks: Task = {
  store_sbom: {
    perform: (db, upload, body, bounds) =>
      receiveSbom(db, upload, body, { ...bounds, storeBeside: storeReported }),
    tooComplex: 'invalid_sbom',
  },
  store_notification: {
    perform: (db, upload, body, bounds) =>
      receiveNotification(db, upload, body, { ...bounds, storeBeside: storeReported }),
    tooComplex: 'invalid_sbom',
  },
  store_vex: { perform: receiveVex, tooComplex: 'invalid_vex' },
  find_references: {
    perform: (_db, wanted, body, bounds) => Promise.resolve(findReferences(body, wanted, bounds)),
    tooComplex: 'invalid_sbom',
  },
  read_dependencies: { perform: readStoredGraph, tooComplex: 'invalid_sbom' },
}

/** The refusal of a file that the child's memory cannot hold. */
export function tooComplex(kind: TaskKind): ServiceError {
  return new ServiceError(parserTasks[kind].tooComplex, { detail: 'the document is too complex to read' })
}
