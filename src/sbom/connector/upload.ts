import type { Notification } from '../../formats/dependency-track/notification.ts'
import type { WorkspaceState } from '../../contract/workspace/plans.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { TokenSender } from '../../products/tokens/lock-sender.ts'
import type { SbomUpload } from '../upload.ts'
import type { StoredSbom } from '../receipt.ts'

/** A notification on its way in, after the token step. */
export type NotificationUpload = Pick<SbomUpload, 'requestId' | 'address'> & { sender: TokenSender }

/** What is kept of a notification beside its BOM. */
export type NotificationFacts = Pick<Notification, 'group' | 'level' | 'scope' | 'timestamp' | 'project'>

/** The outcome of a notification; one with an unreadable envelope is refused without facts. */
export type NotificationResult =
  | { kind: 'stored'; sbom: StoredSbom }
  | { kind: 'test'; state: WorkspaceState }
  | { kind: 'ignored' }
  | { kind: 'refused'; refusal: { code: ErrorCode; message: string; detail: string | undefined } }

export type NotificationOutcome = NotificationResult & { facts: NotificationFacts }
