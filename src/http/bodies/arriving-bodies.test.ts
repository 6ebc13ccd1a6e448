import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ArrivingBodies, noWorkspace } from './arriving-bodies.ts'
import { paceRule } from './body-pace.ts'
import { GrowingBody } from './growing-body.ts'

type Sent = [sender: string, bytes: number]

/** Strangers have all of it, where nothing else is said. */
const boundsOf = (bound: { maxBytes: number; maxBodies: number }, strangers = bound) => ({
  ...bound,
  strangers,
  pace: paceRule,
})

/** Sends bodies one after the other, the workspace being the sender's first letter, and returns who was turned away. */
async function turnedAway(
  bodies: readonly Sent[],
  { maxBytes = 100, maxBodies = 10 } = {},
): Promise<string[]> {
  const arriving = new ArrivingBodies(boundsOf({ maxBytes, maxBodies }))
  const gone: string[] = []
  for (const [place, [sender, bytes]] of bodies.entries()) {
    const owner = { workspaceId: sender.charAt(0), senderId: sender }
    const body = arriving.open(owner)
    body.over.catch(() => gone.push(`${sender}#${place}`))
    body.hold(bytes)
  }
  await setImmediate()
  expect(arriving.heldBytes).toBeLessThanOrEqual(maxBytes)
  expect(arriving.count).toBe(bodies.length - gone.length)
  return gone
}

describe('room for a body that arrives', () => {
  const rows: [name: string, bodies: Sent[], expected: string[]][] = [
    [
      'is there for all while nothing is used up',
      [
        ['a1', 50],
        ['a1', 30],
        ['b1', 20],
      ],
      [],
    ],
    [
      'is made by the workspace that uses most',
      [
        ['a1', 60],
        ['b1', 30],
        ['c1', 20],
      ],
      ['a1#0'],
    ],
    [
      'there by the sender that uses most',
      [
        ['a1', 20],
        ['a2', 60],
        ['b1', 30],
      ],
      ['a2#1'],
    ],
    [
      'of that one by what has waited longest',
      [
        ['a1', 30],
        ['a1', 30],
        ['a1', 30],
        ['b1', 30],
      ],
      ['a1#0'],
    ],
    [
      'by its own sender where others use as much',
      [
        ['a1', 50],
        ['b1', 50],
        ['b1', 10],
      ],
      ['b1#1'],
    ],
    [
      'by the newcomer where it uses most by itself',
      [
        ['a1', 40],
        ['b1', 70],
      ],
      ['b1#1'],
    ],
    [
      'as often as needed',
      [
        ['a1', 30],
        ['a1', 30],
        ['a1', 40],
        ['b1', 45],
      ],
      ['a1#0', 'a1#1'],
    ],
  ]
  it.each(rows)('%s', async (_name, bodies, expected) => {
    expect(await turnedAway(bodies)).toEqual(expected)
  })

  it('is bounded by number, too', async () => {
    const idle = Array.from({ length: 10 }, (): Sent => ['a1', 0])
    expect(await turnedAway([...idle, ['b1', 1]])).toEqual(['a1#0'])
  })

  it('is free again after release, once', () => {
    const arriving = new ArrivingBodies(boundsOf({ maxBytes: 100, maxBodies: 10 }))
    {
      using body = arriving.open({ workspaceId: 'a', senderId: 'a1' })
      body.hold(80)
      body[Symbol.dispose]()
      body.hold(80)
    }
    expect([arriving.heldBytes, arriving.count]).toEqual([0, 0])
  })
})

describe('room for the bodies of strangers', () => {
  const bounds = boundsOf({ maxBytes: 100, maxBodies: 10 }, { maxBytes: 50, maxBodies: 4 })
  /** Who is turned away; `a…` belongs to a workspace. */
  async function turnedAwayOf(bodies: readonly Sent[]): Promise<string[]> {
    const arriving = new ArrivingBodies(bounds)
    const gone: string[] = []
    for (const [senderId, bytes] of bodies) {
      const workspaceId = senderId.startsWith('a') ? 'a' : noWorkspace
      const body = arriving.open({ workspaceId, senderId })
      body.over.catch(() => gone.push(senderId))
      body.hold(bytes)
    }
    await setImmediate()
    return gone
  }

  it.each<[name: string, bodies: Sent[], expected: string[]]>([
    [
      'is made by the one that uses most of it, not by a workspace that uses more',
      [
        ['a1', 45],
        ['x', 25],
        ['y', 15],
        ['z', 12],
      ],
      ['x'],
    ],
    ['is bounded by number', ['v', 'w', 'x', 'y', 'z'].map((sender): Sent => [sender, 1]), ['z']],
    [
      'leaves the rest to workspaces',
      [
        ['x', 50],
        ['a1', 50],
      ],
      [],
    ],
  ])('%s', async (_name, bodies, expected) => {
    expect(await turnedAwayOf(bodies)).toEqual(expected)
  })

  it('is scarce before that of all is', () => {
    const arriving = new ArrivingBodies(bounds)
    arriving.open({ workspaceId: noWorkspace, senderId: 'x' }).hold(40)
    expect(arriving.isScarce).toBe(true)
  })
})

describe('a body grows', () => {
  it.each([
    ['byte by byte, announced', 40_000, 1, 30_000, 32_768],
    ['byte by byte to its end', 40_000, 1, 40_000, 40_000],
    ['at once', 1_000_000, 1_000_000, 1_000_000, 1_000_000],
    ['small', 100, 10, 100, 100],
  ])('%s', (_name, announced, chunkBytes, sentBytes, expectedBytes) => {
    let held = 0
    const body = new GrowingBody(announced, (bytes) => (held += bytes))
    const sent = Buffer.from(Array.from({ length: sentBytes }, (_, place) => place % 251))
    for (let at = 0; at < sentBytes; at += chunkBytes) body.add(sent.subarray(at, at + chunkBytes))
    expect(held).toBe(expectedBytes)
    expect(body.size).toBe(sentBytes)
    expect(Buffer.compare(new Uint8Array(body.take()), sent)).toBe(0)
  })

  it('and what is taken from it or dropped leaves nothing behind', () => {
    const body = new GrowingBody(1_000, () => undefined)
    body.add(Buffer.from('taken'))
    expect(Buffer.from(body.take()).toString()).toBe('taken')
    body[Symbol.dispose]()
    body.add(Buffer.from('again'))
    expect(Buffer.from(body.take()).toString()).toBe('again')
    body.add(Buffer.from('dropped'))
    body[Symbol.dispose]()
    expect([body.size, body.take().byteLength]).toEqual([0, 0])
  })
})
