import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import {
  bomContent,
  decodeBom,
  readNotification,
  type Notification,
} from '../../formats/dependency-track/notification.ts'
import { refuseEndedMeanwhile } from '../../products/tokens/lock-sender.ts'
import { effectiveState, refuseWhenReadOnly } from '../../workspace/state.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'
import { receiveSbom } from '../receive-sbom.ts'
import { uploadDetails } from '../upload-details.ts'
import type { SbomStoring } from '../upload.ts'
import { resolveRefusals, upsertTest } from './refusals.ts'
import type {
  NotificationFacts,
  NotificationUpload,
  NotificationOutcome,
  NotificationResult,
} from './upload.ts'

type Options = SbomStoring & { maxFileBytes: number }

/**
 * Receives one notification of the platform from its JSON on (token, rate limit, size and media type come before it) and stores the
 * BOM in it as `receiveSbom` would. What is refused once the notification is read comes back with what it says of itself.
 *
 * Codes thrown: `invalid_json`, `invalid_notification`; `too_large` and `internal`.
 */
export async function receiveNotification(
  db: Db,
  upload: NotificationUpload,
  body: Uint8Array,
  options: Options,
): Promise<NotificationOutcome> {
  const notification = readNotification(body)
  const { group, level, scope, timestamp, project } = notification
  const facts = { group, level, scope, timestamp, project }
  try {
    return { facts, ...(await answer(db, upload, { notification, facts }, options)) }
  } catch (error) {
    if (!(error instanceof ServiceError) || leftToTheParser.has(error.code)) throw error
    return { facts, kind: 'refused', refusal: refusalOf(error) }
  }
}

/** A BOM that is too large for one lane of the parser goes to the other. */
const leftToTheParser = new Set(['too_large', 'internal'])

type Read = { notification: Notification; facts: NotificationFacts }
async function answer(
  db: Db,
  upload: NotificationUpload,
  { notification, facts }: Read,
  options: Options,
): Promise<NotificationResult> {
  const { sender } = upload
  if (notification.kind !== 'bom') await refuseEndedMeanwhile(db, sender, options.clock)
  if (notification.kind === 'other') return { kind: 'ignored' }
  const content = notification.kind === 'bom' ? bomContent(notification) : null
  const state = effectiveState(await selectWorkspace(db, sender.workspaceId), options.clock())
  if (notification.kind === 'test') {
    await upsertTest(db, sender, { group: facts.group, at: options.clock() })
    return { kind: 'test', state }
  }
  refuseWhenReadOnly(state)
  const sbom = await receiveBom(db, upload, { bom: decodeBom(content), facts }, options)
  await resolveRefusals(db, sender, { projectName: facts.project.name, at: options.clock() })
  return { kind: 'stored', sbom }
}

async function receiveBom(
  db: Db,
  notified: NotificationUpload,
  { bom, facts: { project } }: { bom: Uint8Array; facts: NotificationFacts },
  options: Options,
) {
  const details = uploadDetails({
    productVersion: project.version,
    source: 'sbom_tracker',
    commit: null,
    branch: null,
    repository: project.name,
    runUrl: null,
  })
  const upload = { ...notified, contentEncoding: undefined, details, takesCurrentVersion: true }
  return receiveSbom(db, upload, bom, options)
}

/**
 * A place in the BOM must not look like one in the notification. The connector has neither `bad_encoding` nor `empty` (docs/public-api.md,
 * "Connector"): for it such bytes are invalid JSON.
 */
function refusalOf({ code, message, detail }: ServiceError) {
  const inBom = `in the BOM: ${detail ?? message}`
  if (code === 'invalid_sbom') return { code, message, detail: inBom }
  if (code !== 'invalid_json' && code !== 'bad_encoding' && code !== 'empty') return { code, message, detail }
  const { message: plain } = new ServiceError('invalid_json')
  return { code: 'invalid_json' as const, message: plain, detail: inBom }
}
