import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { deliverAll } from '../../src/alerts/deliveries/deliverer.ts'
import { emitEvent } from '../../src/alerts/deliveries/emit.ts'
import { secretPlace, urlPlace } from '../../src/alerts/destinations/sealed-places.ts'
import { alertTypes, type AlertType, type DestinationKind } from '../../src/contract/alerts/shapes.ts'
import type { AlertFact } from '../../src/contract/alerts/events.ts'
import type { Outbound } from '../../src/platform/outbound/outbound.ts'
import { newId } from '../../src/platform/random.ts'
import { testNow } from '../support/clock.ts'
import type { Db } from '../../src/database/connection.ts'
import { createKeyRing, newKeyText, parseKeys } from '../../src/platform/sealing/key-ring.ts'
import { createSealing } from '../../src/platform/sealing/sealing.ts'
import { baseUrl } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'

/** One of each event, with every optional part. */
export const facts: { [Type in AlertType]: Extract<AlertFact, { type: Type }> } = {
  'incident.opened': {
    type: 'incident.opened',
    data: {
      incident: {
        id: '0190d3a8-0000-7000-8000-000000000001',
        reference: 'INC-2026-0001',
        title: 'CVE-2026-1234 in libpump',
        family: 'Pump',
        vulnKey: 'CVE-2026-1234',
        source: 'kev',
        awareAt: '2026-09-12T08:00:00.000Z',
      },
    },
  },
  'deadline.warning': {
    type: 'deadline.warning',
    data: {
      incident: {
        id: '0190d3a8-0000-7000-8000-000000000001',
        reference: 'INC-2026-0001',
        title: 'CVE-2026-1234 in libpump',
      },
      regime: 'cra',
      report: 'early_warning',
      dueAt: '2099-09-13T08:00:00.000Z',
    },
  },
  'approval.requested': {
    type: 'approval.requested',
    data: {
      incident: {
        id: '0190d3a8-0000-7000-8000-000000000001',
        reference: 'INC-2026-0001',
        title: 'CVE-2026-1234 in libpump',
      },
      determination: 'actively_exploited',
      scope: 'cra',
      approvers: 3,
    },
  },
  'report.received': {
    type: 'report.received',
    data: {
      report: {
        number: 17,
        family: 'Pump',
        receivedAt: '2026-09-12T08:00:00.000Z',
        acknowledgeBy: '2026-09-15T08:00:00.000Z',
      },
    },
  },
}

export const allTypes = [...alertTypes]

export type StoredDestination = {
  kind?: DestinationKind
  /** May be one that no request could store. */
  url: string
  host?: string
  events?: AlertType[]
}

export type KeptDelivery = {
  id: string
  destination_id: string
  state: string
  status: number | null
  reason: string | null
  attempts: number
  duration_ms: number | null
}

/** Two workspaces and everything that sends their alerts, in the test process. */
export type AlertScene = {
  acme: TestWorkspace
  umbrella: TestWorkspace
  /** The time of every act; a test may move it. */
  clock: { now: Date; isReal: boolean }
  /** Stores a destination without any URL check; returns its id. */
  store: (workspaceId: string, destination: StoredDestination) => Promise<string>
  /** Emits an event, but sends nothing yet. */
  tell: (workspaceId: string, fact: AlertFact) => Promise<string>
  /** Sends everything that is pending. */
  send: (outbound: Outbound) => Promise<number>
  deliveries: () => Promise<KeptDelivery[]>
  /** Waits until other processes have sent everything. */
  untilAllSent: () => Promise<void>
}

/** The key that seals a scene's destinations, for processes that deliver to them. */
export const sceneKeys = newKeyText()
const sealing = createSealing(createKeyRing(parseKeys(sceneKeys)))

/** The signing secret of every destination stored by a scene. */
export const storedSecret = `whsec_${'s'.repeat(43)}`

export async function openAlertScene(db: Db): Promise<AlertScene> {
  const [acme, umbrella] = await createScene(db)
  const clock = { now: testNow, isReal: false }
  return {
    acme,
    umbrella,
    clock,
    store: (workspaceId, destination) => storeDestination(db, { workspaceId, ...destination }),
    tell: async (workspaceId, fact) => {
      const eventId = newId(clock.now)
      await emitEvent(db, { workspaceId, eventId, fact }, clock.now)
      return eventId
    },
    send: (outbound) =>
      deliverAll({
        db,
        now: () => (clock.isReal ? new Date() : clock.now),
        log: pino({ level: 'silent' }),
        outbound,
        sealing,
        baseUrl,
        name: 'test',
      }),
    deliveries: () =>
      db
        .selectFrom('alert_delivery')
        .select(['id', 'destination_id', 'state', 'status', 'reason', 'attempts', 'duration_ms'])
        .orderBy('created_at')
        .orderBy('id')
        .execute(),
    untilAllSent: async () => {
      while (await someWaits(db)) await sleep(20)
    },
  }
}

async function someWaits(db: Db): Promise<boolean> {
  const waiting = await db
    .selectFrom('alert_delivery')
    .select('id')
    .where('state', 'in', ['pending', 'sending'])
    .limit(1)
    .execute()
  return waiting.length > 0
}

async function storeDestination(
  db: Db,
  {
    workspaceId,
    kind = 'webhook',
    url,
    host,
    events = allTypes,
  }: StoredDestination & { workspaceId: string },
): Promise<string> {
  const key = { workspaceId, id: newId(testNow) }
  await db
    .insertInto('alert_destination')
    .values({
      id: key.id,
      workspace_id: workspaceId,
      kind,
      name: url.slice(0, 80),
      host: host ?? URL.parse(url)?.hostname ?? 'no host',
      url_sealed: sealing.seal(urlPlace(key), url),
      secret_sealed: kind === 'webhook' ? sealing.seal(secretPlace(key), storedSecret) : null,
      events,
      enabled: true,
      created_at: testNow,
      added_by_kind: 'system',
      added_by_name: 'test',
      last_delivery_at: null,
      last_error: null,
      removed_at: null,
    })
    .execute()
  return key.id
}
