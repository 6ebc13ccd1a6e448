import type { Db } from '../database/connection.ts'
import type { Clock } from '../platform/clock.ts'
import type { Originals } from '../originals/originals.ts'
import { identifyAgain, type IdentifiedEarlier } from '../sbom/components/identify-again.ts'
import { receiveNotification } from '../sbom/connector/receive-notification.ts'
import type { NotificationUpload, NotificationOutcome } from '../sbom/connector/upload.ts'
import { readStoredGraph, type UnreadGraph } from '../sbom/dependencies/read-stored-graph.ts'
import type { StoredSbom } from '../sbom/receipt.ts'
import { receiveSbom } from '../sbom/receive-sbom.ts'
import type { SbomUpload } from '../sbom/upload.ts'
import { findReferences, type Wanted, type FoundReference } from '../vex/binding/find-references.ts'
import type { StoredVex } from '../vex/documents/receipt.ts'
import { readVexAgain, type ReadEarlier } from '../vex/documents/read-again.ts'
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
  /** The same. */
  identify_again: { upload: IdentifiedEarlier; answer: null }
  /** Of a VEX document that an earlier release stored, or of an SBOM that states one. */
  read_vex_again: { upload: ReadEarlier; answer: null }
}

export type TaskKind = keyof ParserTasks

export type TaskBounds = {
  /** Bounds the inflated file: a larger one is `too_large`. */
  maxFileBytes: number
  clock: Clock
  originals: Originals
}

type Task = {
  [K in TaskKind]: (
    db: Db,
    upload: ParserTasks[K]['upload'],
    body: Uint8Array,
    bounds: TaskBounds,
  ) => Promise<ParserTasks[K]['answer']>
}

export const parserTasks: Task = {
  store_sbom: (db, upload, body, bounds) =>
    receiveSbom(db, upload, body, { ...bounds, storeBeside: storeReported }),
  store_notification: (db, upload, body, bounds) =>
    receiveNotification(db, upload, body, { ...bounds, storeBeside: storeReported }),
  store_vex: receiveVex,
  find_references: (_db, wanted, body, bounds) => Promise.resolve(findReferences(body, wanted, bounds)),
  read_dependencies: readStoredGraph,
  identify_again: identifyAgain,
  read_vex_again: readVexAgain,
}
