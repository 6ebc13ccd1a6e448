import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AppOperation } from '../../src/contract/operation.ts'
import { addDestination } from '../../src/contract/alerts/operations.ts'
import { openIncidentFromReport } from '../../src/contract/disclosure/operations.ts'
import { openDisclosureScene, receiptPath, type DisclosureScene } from '../disclosure/disclosure-scene.ts'
import { readOperations } from '../support/app-operations.ts'
import type { AppSession } from '../support/app-session.ts'

/** Every update with only optional fields accepts an empty body: it answers as usual, changes nothing and is not audited. */

const changes = [...(await readOperations()).values()].filter(({ method }) => method === 'PATCH')
const mayBeEmpty = ({ body }: AppOperation) =>
  typeof body === 'object' && body !== null && Value.Check(body, {})

let scene: DisclosureScene
let owner: AppSession
const values: Record<string, string> = { slug: 'acme' }

beforeAll(async () => {
  scene = await openDisclosureScene()
  owner = await scene.signIn(scene.acme, 'owner')
  receiptPath(await scene.report('acme'))
  values['number'] = '1'
  values['family'] = scene.acme.families[0]?.id ?? ''
  const url = 'https://hooks.acme.example/'
  const destination = await owner.call(addDestination, {
    body: { kind: 'webhook', name: 'hook', url, events: ['report.received'] },
  })
  values['destination'] = destination.id
  const incident = await owner.call(openIncidentFromReport, {
    params: { number: 1 },
    body: { kind: 'severe_incident', title: 'Broken', families: [] },
  })
  values['incident'] = incident.id
})
afterAll(() => scene.close())

/** Everything an operation may change, except last-seen times. */
async function everything(): Promise<unknown> {
  const { db } = scene.database
  const tables = [
    'audit_event',
    'job',
    'workspace',
    'person',
    'member',
    'member_notices',
    'alert_destination',
    'product_facts',
  ] as const
  const others = ['inbox_report', 'disclosure_settings', 'advisory_feed', 'incident'] as const
  return Promise.all([...tables, ...others].map((table) => db.selectFrom(table).selectAll().execute()))
}

describe('a change that names nothing', () => {
  it('is possible for most', () => {
    expect(changes.filter(mayBeEmpty).length).toBeGreaterThanOrEqual(9)
  })

  it.each(changes.filter(mayBeEmpty).map((operation) => [operation.path, operation] as const))(
    'PATCH %s: is taken and changes nothing',
    async (_path, operation) => {
      const before = await everything()
      const answered = await owner.ask(operation, { params: values, body: {} })
      expect(answered.status, JSON.stringify(answered.body)).toBe(
        typeof operation.answer === 'object' ? operation.answer.status : 200,
      )
      expect(await everything()).toEqual(before)
    },
  )

  it.each(changes.filter((one) => !mayBeEmpty(one)).map((operation) => [operation.path, operation] as const))(
    'PATCH %s: is refused with what it needs',
    async (path, operation) => {
      const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
      const params = Object.fromEntries(names.map((name) => [name, values[name] ?? values['incident']]))
      const answered = await owner.refused(operation, { params, body: {} })
      expect(answered).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
      expect(Object.keys(answered.body.fields ?? {})).not.toEqual([])
    },
  )
})
