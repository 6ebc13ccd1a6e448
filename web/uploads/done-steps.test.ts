import { expect, it } from 'vitest'
import { doneSteps } from './done-steps.ts'

const at = '2026-01-01T00:00:00.000Z'
const family = { id: 'pump', versions: [] }
const sent = { id: 'pump', versions: [{ activeSbom: null }, { activeSbom: {} }] }
const token = {
  kind: 'upload',
  family: { id: 'pump', name: 'Pump' },
  status: 'Active',
  lastUsedAt: null,
} as const
const other = { ...token, family: { id: 'valve', name: 'Valve' } }

it.each([
  ['nothing yet', family, [], { token: false, sent: false }],
  ['tokens of others', family, [other], { token: false, sent: false }],
  ['a results token', family, [{ ...token, kind: 'results' as const }], { token: false, sent: false }],
  ['a revoked token', family, [{ ...token, status: 'Revoked' as const }], { token: false, sent: false }],
  ['a token', family, [token], { token: true, sent: false }],
  ['a request that was refused', family, [{ ...token, lastUsedAt: at }], { token: true, sent: false }],
  ['a file from a computer', sent, [token], { token: true, sent: false }],
  ['a file by token', sent, [{ ...token, lastUsedAt: at }], { token: true, sent: true }],
])('with %s, what was done is ticked', (_name, of, tokens, steps) => {
  expect(doneSteps(of, tokens)).toEqual(steps)
})
