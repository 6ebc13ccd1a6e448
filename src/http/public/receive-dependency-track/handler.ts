import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import type { WorkspaceState } from '../../../contract/workspace/plans.ts'
import {
  readNotificationHead,
  type NotificationHead,
} from '../../../formats/dependency-track/notification-head.ts'
import { cleanText } from '../../../formats/json/clean.ts'
import { keepRefusal } from '../../../sbom/connector/refusals.ts'
import type { NotificationFacts, NotificationOutcome } from '../../../sbom/connector/upload.ts'
import { sbomReceipt } from '../../../sbom/receipt.ts'
import { findSender } from '../../../products/tokens/find-sender.ts'
import { BodyHead } from '../../bodies/body-head.ts'
import { clientAddress } from '../../client-address.ts'
import { connectorToken } from '../../credentials.ts'
import type { HttpDeps } from '../../deps.ts'
import { logOf } from '../../request-log.ts'
import type { PublicAnswer } from '../public-operation.ts'
import { publicRoute } from '../public-route.ts'
import { receiveFromToken } from '../receive-from-token.ts'
import { examples } from './examples.ts'
import { operation } from './operation.ts'
import { words } from './words.ts'

type ConnectorAnswer = PublicAnswer<typeof operation>

/**
 * `POST /api/v1/connectors/dependency-track`: token, rate limit, size and media type here, the rest of the order in the parser child
 * (`receiveNotification`). The platform shows its users none of the answers, so refusals are stored for the family's page.
 */
export const receiveDependencyTrack = publicRoute(
  { operation, words, examples },
  async ({ deps, request, reply }) => {
    const now = deps.now()
    const received: Received = { now, sizeBytes: announcedSize(request), facts: null, head: new BodyHead() }
    try {
      const outcome = await receive(deps, request, received)
      return answerOf(outcome, deps.baseUrl, reply)
    } catch (error) {
      const refusal = error instanceof ServiceError ? error : new ServiceError('internal')
      await noteRefusal(deps, request, { ...received, refusal })
      throw error
    }
  },
)

/** What is known of the request, whatever becomes of it. */
type Received = {
  now: Date
  sizeBytes: number | null
  facts: NotificationFacts | null
  head: BodyHead
}

async function receive(
  deps: HttpDeps,
  request: FastifyRequest,
  received: Received,
): Promise<Exclude<NotificationOutcome, { kind: 'refused' }>> {
  using given = await receiveFromToken({
    deps,
    request,
    secret: connectorToken(request),
    now: received.now,
    see: received.head.add,
  })
  const { sender, body } = given
  received.sizeBytes = body.length
  if (!isSentAsJson(request)) {
    throw new ServiceError('unsupported_media_type', {
      detail: `Content-Type: expected application/json, found ${typeFound(request)}`,
    })
  }
  const outcome = await deps.parser.run({
    kind: 'store_notification',
    workspaceId: sender.workspaceId,
    upload: {
      sender,
      requestId: request.id,
      address: clientAddress(request),
    },
    body,
  })
  received.facts = outcome.facts
  logOf(request).info({ outcome: outcome.kind, notification: outcome.facts }, 'notification')
  if (outcome.kind !== 'refused') return outcome
  const { code, message, detail } = outcome.refusal
  throw new ServiceError(code, { message, ...(detail === undefined ? {} : { detail }) })
}

function answerOf(
  outcome: Exclude<NotificationOutcome, { kind: 'refused' }>,
  baseUrl: string,
  reply: FastifyReply,
): ConnectorAnswer {
  const { group } = outcome.facts
  switch (outcome.kind) {
    case 'stored':
      reply.status(outcome.sbom.isDuplicate ? 200 : 202)
      return sbomReceipt(outcome.sbom, baseUrl)
    case 'test':
      return { test: true, group, message: testMessage(outcome.state) }
    case 'ignored':
      reply.status(202)
      return {
        ignored: true,
        group,
        message: 'Only BOM_PROCESSED and BOM_CONSUMED carry a BOM. Nothing is stored.',
      }
  }
}

function testMessage(state: WorkspaceState): string {
  const works = 'The connection works: the token is valid.'
  if (state === 'closed')
    return `${works} But the workspace is closed, so BOMs are refused until an owner reopens it.`
  if (state === 'free') {
    return `${works} But the workspace is read-only, so BOMs are refused until it has a plan again.`
  }
  if (state === 'moving')
    return `${works} But the workspace is being moved to another installation, so BOMs are refused.`
  if (state === 'suspended')
    return `${works} But the workspace is read-only, because the operator of this service has suspended it.`
  return `${works} BOMs will be stored.`
}

type Refused = Received & { refusal: ServiceError }

/** The refusal is answered even when it cannot be stored. */
async function noteRefusal(deps: HttpDeps, request: FastifyRequest, refused: Refused): Promise<void> {
  const { now, sizeBytes, refusal } = refused
  try {
    const sender = await findSender(deps.db, connectorToken(request))
    if (sender === undefined) return
    const { group, project } = refused.facts ?? (await readHead(refused.head, request))
    await keepRefusal(deps.db, {
      sender,
      at: now,
      error: refusal.code,
      detail: refusal.detail ?? null,
      group,
      projectName: project.name,
      projectVersion: project.version,
      sizeBytes,
    })
  } catch (error) {
    logOf(request).error({ err: error }, 'a refused notification could not be kept')
  }
}

/** What a body says about itself that was refused before, or could not be, read; only for senders whose family is known. */
async function readHead(head: BodyHead, request: FastifyRequest): Promise<NotificationHead> {
  await head.readFrom(request.raw)
  return readNotificationHead(head.take())
}

/** Of a body that is refused unread. */
function announcedSize(request: FastifyRequest): number | null {
  const announced = Number(request.headers['content-length'] ?? Number.NaN)
  return Number.isSafeInteger(announced) && announced <= 2 ** 31 - 1 ? announced : null
}

function typeFound(request: FastifyRequest): string {
  const type = typeSent(request)
  return type === undefined ? 'nothing' : `"${cleanText(type, 40)}"`
}

/** Parameters are ignored. */
function isSentAsJson(request: FastifyRequest): boolean {
  return typeSent(request)?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}

/** The type as sent: `request.headers` no longer has it. */
function typeSent({ raw: { rawHeaders } }: FastifyRequest): string | undefined {
  const place = rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type')
  return place === -1 ? undefined : rawHeaders[place + 1]
}
