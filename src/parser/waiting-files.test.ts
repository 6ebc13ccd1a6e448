import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WaitingFiles, type WaitingFile } from './waiting-files.ts'

const file = (workspaceId: string, size = 1): WaitingFile => ({ workspaceId, body: new Uint8Array(size) })

function takeAll(waiting: WaitingFiles<WaitingFile>): string[] {
  const order: string[] = []
  for (let next = waiting.take(() => true); next; next = waiting.take(() => true))
    order.push(next.workspaceId)
  return order
}

describe('files that wait for the parser', () => {
  it('are served in the turn of their workspaces, and in order within one', () => {
    const waiting = new WaitingFiles({ maxFiles: 100, maxBytes: 1000 })
    for (const workspace of ['a', 'a', 'a', 'b', 'c', 'b']) waiting.add(file(workspace))
    expect(takeAll(waiting)).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
  })

  it('are passed over when they do not fit, without losing their place', () => {
    const waiting = new WaitingFiles({ maxFiles: 100, maxBytes: 1000 })
    const [large, small] = [file('a', 9), file('a', 1)]
    waiting.add(large)
    waiting.add(small)
    expect(waiting.take(({ body }) => body.length < 5)).toBe(small)
    expect(waiting.take(({ body }) => body.length < 5)).toBeUndefined()
    expect(waiting.take(() => true)).toBe(large)
  })

  it('go first among their own when they are put back', () => {
    const waiting = new WaitingFiles({ maxFiles: 1, maxBytes: 10 })
    const [first, second] = [file('a'), file('a')]
    waiting.add(second)
    waiting.putBack(first)
    expect([waiting.take(() => true), waiting.take(() => true)]).toEqual([first, second])
  })

  it('of a workspace alone are turned away at the bound', () => {
    const waiting = new WaitingFiles({ maxFiles: 2, maxBytes: 1000 })
    waiting.add(file('a'))
    waiting.add(file('a'))
    const third = file('a')
    expect(waiting.add(third)).toEqual([third])
  })

  it('of the workspace furthest above its share make room for one below', () => {
    const waiting = new WaitingFiles({ maxFiles: 4, maxBytes: 1000 })
    const mine = [file('a'), file('a'), file('a'), file('a')]
    for (const one of mine) waiting.add(one)
    expect(waiting.add(file('b'))).toEqual([mine[3]])
    expect(waiting.add(file('b'))).toEqual([mine[2]])
    expect(waiting.add(file('c'))).toHaveLength(1)
  })

  it('are bounded by their bytes too', () => {
    const waiting = new WaitingFiles({ maxFiles: 100, maxBytes: 10 })
    const [one, two] = [file('a', 4), file('a', 4)]
    waiting.add(one)
    waiting.add(two)
    expect(waiting.add(file('b', 5))).toEqual([two])
    expect(waiting.bytes).toBe(9)
  })

  it('never exceed the bounds, and none is lost or served twice', () => {
    const sent = fc.record({
      workspaceId: fc.constantFrom('a', 'b', 'c'),
      size: fc.integer({ min: 0, max: 6 }),
    })
    fc.assert(
      fc.property(fc.array(sent, { maxLength: 60 }), (all) => {
        const waiting = new WaitingFiles({ maxFiles: 8, maxBytes: 20 })
        const files = all.map(({ workspaceId, size }) => file(workspaceId, size))
        const gone = new Set<WaitingFile>()
        for (const one of files) {
          for (const other of waiting.add(one)) gone.add(other)
          expect(waiting.files).toBeLessThanOrEqual(8)
          expect(waiting.bytes).toBeLessThanOrEqual(20)
        }
        const kept = files.length - gone.size
        expect(waiting.files).toBe(kept)
        expect(takeAll(waiting)).toHaveLength(kept)
        expect(waiting.bytes).toBe(0)
      }),
    )
  })
})
