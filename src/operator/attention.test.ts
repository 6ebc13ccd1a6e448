import { expect, it } from 'vitest'
import { attentionList, type Attention } from './attention.ts'

const well: Attention = {
  takesWrites: true,
  failedJobs: 0,
  failedMail: 0,
  lateMail: 0,
  sendsMail: true,
  keys: { state: 'ready', meaning: 'the keys fit' },
  degraded: [],
  objectStore: null,
  failingSources: 0,
  failingDestinations: 0,
}

it('says nothing while all is well, and first of all that nothing can be written', () => {
  expect(String(attentionList(well))).toContain('Nothing needs attention.')
  const full = String(attentionList({ ...well, takesWrites: false, failedJobs: 2 }))
  expect(full).toContain('The database accepts no writes: its disk is full')
  expect(full.indexOf('accepts no writes')).toBeLessThan(full.indexOf('/operator/jobs'))
})
