import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Shares } from './shares.ts'

const bounds = { person: 4, workspace: 6, process: 8 }

it('gives a free place to whoever has the fewest, however many others came before', async () => {
  const shares = new Shares(bounds)
  const served: string[] = []
  const places: (() => void)[] = []
  const ask = async (personId: string, workspaceId = 'acme') => {
    const place = await shares.await({ personId, workspaceId }, 60_000)
    served.push(personId)
    if (typeof place === 'function') places.push(place)
  }
  const asked = ['a', 'b'].flatMap((person) => Array.from({ length: 10 }, () => ask(person)))
  asked.push(ask('c'))
  await setImmediate()
  expect(served).toEqual(['a', 'a', 'a', 'a', 'b', 'b'])
  places.shift()?.()
  await setImmediate()
  expect(served.slice(6)).toEqual(['c'])
  while (places.length > 0) {
    places.shift()?.()
    await setImmediate()
  }
  await Promise.all(asked)
  expect(served).toHaveLength(21)
})

it('of a person, of a workspace and of the process: says whose places are all taken', () => {
  const shares = new Shares(bounds)
  const take = (personId: string, workspaceId: string) => shares.take({ personId, workspaceId })
  const of = (personId: string, workspaceId: string, count: number) =>
    Array.from({ length: count }, () => typeof take(personId, workspaceId))
  expect(of('a', 'acme', 4)).toEqual(Array(4).fill('function'))
  expect(take('a', 'acme')).toBe('person')
  expect(of('b', 'acme', 2)).toEqual(Array(2).fill('function'))
  expect(take('c', 'acme')).toBe('workspace')
  expect(of('d', 'umbrella', 2)).toEqual(Array(2).fill('function'))
  expect(take('e', 'umbrella')).toBe('process')
})
