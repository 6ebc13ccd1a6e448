import { expect, it } from 'vitest'
import { firstSteps } from './first-steps.ts'

const noUpload = { lastUploadAt: null }
const uploaded = { lastUploadAt: '2026-01-01T00:00:00.000Z' }
const token = { kind: 'upload', status: 'Active' } as const

it.each([
  ['a new workspace', [], [], []],
  ['a family without token', [noUpload], [], ['family']],
  ['a revoked token', [noUpload], [{ ...token, status: 'Revoked' as const }], ['family']],
  ['a token that cannot upload', [noUpload], [{ ...token, kind: 'results' as const }], ['family']],
  ['a token', [noUpload], [token], ['family', 'token']],
  ['an SBOM', [noUpload, uploaded], [token], ['family', 'token', 'sbom']],
  ['an SBOM whose token is gone', [uploaded], [], ['family', 'token', 'sbom']],
])('%s: done are %j', (_name, families, tokens, done) => {
  const steps = firstSteps(families, tokens)
  expect(steps.filter(({ isDone }) => isDone).map(({ id }) => id)).toEqual(done)
})
