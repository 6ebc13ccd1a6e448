import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Shares } from './shares.ts'

const bounds = { person: 4, workspace: 6, process: 8 }

it('gives a free place to whoever has the fewest, however many others came before', async () => {
  const shares = new Shares(bounds)
  const served: string[] = []
  const places: (() => void)[] = []
  const ask = async (personId: string, workspaceId = 'acme') => {
    const place = await shares.await(
      { personId, workspaceId },
      { withinMs: 60_000, connection: new PassThrough() },
    )
    served.push(personId)
    if (typeof place === 'object') places.push(place.giveBack)
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

it('keeps nobody in the line whose connection has closed', async () => {
  const shares = new Shares(bounds)
  const sharer = { personId: 'a', workspaceId: 'acme' }
  const places = Array.from({ length: 4 }, () => shares.take(sharer))
  const connections = Array.from({ length: 250 }, () => new PassThrough())
  const wait = (connection: PassThrough) => shares.await(sharer, { withinMs: 60_000, connection })
  const gone = connections.map(wait)
  expect(await wait(new PassThrough())).toBe('person')
  for (const connection of connections) connection.destroy()
  expect(await Promise.all(gone)).toEqual(Array(250).fill('person'))
  const last = wait(new PassThrough())
  const late = wait(connections[0] ?? new PassThrough())
  const [first] = places
  if (typeof first === 'function') first()
  expect(await late).toBe('person')
  expect(await last).toMatchObject({ hasWaited: true })
})

it('lets many requests of one connection wait, as a client may send them without waiting for answers', async () => {
  const shares = new Shares({ person: 1, workspace: 1, process: 1 })
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  const connection = new PassThrough()
  const sharer = { personId: 'a', workspaceId: 'acme' }
  const asked = Array.from({ length: 20 }, () => shares.await(sharer, { withinMs: 60_000, connection }))
  await setImmediate()
  process.off('warning', note)
  connection.destroy()
  await Promise.all(asked)
  expect(warnings).toEqual([])
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
