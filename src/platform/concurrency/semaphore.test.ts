import { expect, test } from 'vitest'
import { Semaphore } from './semaphore.ts'

test('runs so many at a time, the others in their order, also after one that fails', async () => {
  const semaphore = new Semaphore(2)
  const begun: number[] = []
  const ends = [0, 1, 2, 3].map(() => Promise.withResolvers<undefined>())
  const runs = ends.map(({ promise }, number) =>
    semaphore.run(async () => {
      begun.push(number)
      await promise
      return number
    }),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  ends[1]?.reject(new Error('failed'))
  await expect(runs[1]).rejects.toThrow('failed')
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of ends) resolve(undefined)
  expect(await Promise.all([runs[0], runs[2], runs[3]])).toEqual([0, 2, 3])
  expect(begun).toEqual([0, 1, 2, 3])
})
