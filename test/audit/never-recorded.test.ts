import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createToken, type NewToken } from '../../src/contract/tokens/operations.ts'
import { addDestination } from '../../src/contract/alerts/operations.ts'
import { openIncident } from '../../src/contract/incidents/operations.ts'
import { addComment, recordDetermination } from '../../src/contract/incidents/act-operations.ts'
import { endBoth } from '../support/http.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

/** Words that occur nowhere else. */
const secretPath = 'T0PSECRETPATH'
const reasoning = 'Zebra reasoning that only the incident shows.'
const comment = 'Walrus comment that only the incident shows.'

let { store, http, acme, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, owner } = await openAppScene())
})
afterAll(() => endBoth(http, store))

describe('the audit trail', () => {
  it('names acts on secrets, addresses and reasons, and holds none of these', async () => {
    const token: NewToken = { name: 'ops two', kind: 'workspace', familyId: null, expiresInDays: 30 }
    const { secret } = await owner.call(createToken, { body: token })
    expect(secret.length).toBeGreaterThan(20)
    const destination = await owner.call(addDestination, {
      body: {
        kind: 'webhook',
        name: 'On call',
        events: ['incident.opened'],
        url: `https://alerts.acme.example/${secretPath}`,
      },
    })
    const { id } = await owner.call(openIncident, {
      body: {
        kind: 'severe_incident',
        title: 'Stolen key',
        families: [acme.families[0]?.id ?? ''],
      },
    })
    await owner.call(recordDetermination, {
      params: { incident: id },
      body: { value: 'not_severe', reasoning },
    })
    await owner.call(addComment, { params: { incident: id }, body: { text: comment } })
    const { rows } = await store.pool.query<{ action: string; event: string }>(
      'select action, a::text as event from audit_event a',
    )
    for (const action of [
      ...['person.signed_in', 'member.added', 'token.created', 'destination.added', 'incident.opened'],
      ...['incident.determination_recorded', 'incident.commented'],
    ]) {
      expect(rows.map((row) => row.action)).toContain(action)
    }
    const trail = rows.map(({ event }) => event).join('\n')
    const never = [
      secret,
      secretPath,
      'Zebra',
      'Walrus',
      acme.members.owner.password,
      destination['secret'] ?? secret,
    ]
    for (const word of never) expect(trail).not.toContain(word)
  })
})
