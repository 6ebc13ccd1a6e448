import { expect, test } from 'vitest'
import { coalesced } from './coalesced.ts'

test('work on the same is done once at a time, whether it succeeds or fails', async () => {
  const begun: PromiseWithResolvers<string>[] = []
  const ask = coalesced(
    (_what: string) => {
      const work = Promise.withResolvers<string>()
      begun.push(work)
      return work.promise
    },
    (what) => what,
  )
  const asked = [ask('a'), ask('b'), ask('a')]
  expect(begun).toHaveLength(2)
  begun[0]?.resolve('first')
  begun[1]?.reject(new Error('failed'))
  expect(await Promise.allSettled(asked)).toMatchObject([
    { value: 'first' },
    { reason: { message: 'failed' } },
    { value: 'first' },
  ])
  void ask('a')
  expect(begun).toHaveLength(3)
})
