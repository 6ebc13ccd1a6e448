import { afterAll, beforeAll, expect, test } from 'vitest'
import { signatureOf } from '../../src/alerts/deliveries/sign.ts'
import { runSignedDeliveries } from '../reliability/scenarios/signed-deliveries.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

test('an outside verifier accepts 1 000 deliveries and refuses changed bytes, another time and another secret', async () => {
  const { figures, failures } = await runSignedDeliveries({ db: database.db, deliveries: 1_000 })
  expect(failures).toEqual([])
  expect(figures).toMatchObject({ deliveries: 1_000, distinctIds: 1_000 })
})

test('the published vector is what the service signs', () => {
  const secret = `whsec_${'0123456789'.repeat(4)}abc`
  const body = '{"id":"evt_0190d3a8-0000-7000-8000-000000000001","type":"test"}'
  const created = new Date('2026-09-12T08:00:00.789Z')
  expect(signatureOf({ secret, body, created })).toBe(
    't=1789200000,v1=5e58e26b72b30e72fa97da3ac899be64314733fc6cf283b09c77569c21583c8f',
  )
})
