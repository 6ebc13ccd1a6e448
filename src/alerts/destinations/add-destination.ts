import { destinationLimits, signingSecretPrefix, type NewDestination } from '../../contract/alerts/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Clock } from '../../platform/clock.ts'
import { newId, randomText } from '../../platform/random.ts'
import { lockSealing, type Sealing } from '../../platform/sealing/sealing.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { lockDestinations } from './lock-destinations.ts'
import { secretPlace, urlPlace } from './sealed-places.ts'
import { shownColumns, toDestination } from './shown-destination.ts'
import type { DestinationFields } from './read-new-destination.ts'

type Adding = {
  workspaceId: string
  fields: DestinationFields
  actor: Actor
  clock: Clock
  sealing: Sealing
}

/**
 * Stores a destination, with its URL and signing secret sealed. The answer is the only place the secret ever appears. Nothing is sent.
 * Codes: `unauthorized`, `billing_lapsed`, `plan_required`, `not_configured`, `invalid_request` (too many).
 */
export async function addDestination(db: Db, adding: Adding): Promise<NewDestination> {
  const { workspaceId, fields, actor, clock, sealing } = adding
  return transact(db, async (tx) => {
    const { now } = await lockDestinations(tx, { workspaceId, actor, clock, needsPlan: true })
    await lockSealing(tx, sealing)
    await refuseTooMany(tx, workspaceId)
    const key = { workspaceId, id: newId(now) }
    const secret = fields.kind === 'webhook' ? newSigningSecret() : undefined
    const row = await tx
      .insertInto('alert_destination')
      .values({
        id: key.id,
        workspace_id: workspaceId,
        kind: fields.kind,
        name: fields.name,
        host: fields.host,
        url_sealed: sealing.seal(urlPlace(key), fields.url),
        secret_sealed: secret === undefined ? null : sealing.seal(secretPlace(key), secret),
        events: fields.events,
        enabled: true,
        created_at: now,
        added_by_kind: actor.kind,
        added_by_name: actor.name,
        last_delivery_at: null,
        last_error: null,
        removed_at: null,
      })
      .returning(shownColumns)
      .executeTakeFirstOrThrow()
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'destination.added',
      object: { kind: 'destination', id: key.id, name: fields.name },
      after: { kind: fields.kind, host: fields.host, events: fields.events },
    })
    return { ...toDestination(row), ...(secret === undefined ? {} : { secret }) }
  })
}

/** 256 random bits. */
export function newSigningSecret(): string {
  return signingSecretPrefix + randomText(32)
}

async function refuseTooMany(tx: Tx, workspaceId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('alert_destination')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count < destinationLimits.perWorkspace) return
  throw new ServiceError('invalid_request', {
    fields: { kind: `A workspace has at most ${destinationLimits.perWorkspace} destinations.` },
  })
}
