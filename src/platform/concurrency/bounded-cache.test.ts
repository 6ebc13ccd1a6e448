import { describe, expect, it } from 'vitest'
import { BoundedCache } from './bounded-cache.ts'

/** Knuth's generator: the same numbers from 0 up to 1 in every run. */
function numbers(): () => number {
  let state = 7
  return () => {
    state = (state * 69_069 + 1) % 4_294_967_296
    return state / 4_294_967_296
  }
}

describe('a bounded cache', () => {
  it('keeps values by their keys, the last one of each', () => {
    const cache = new BoundedCache<string>(100)
    cache.set('a', 'one', 10)
    cache.set('b', 'two', 20)
    cache.set('a', 'three', 30)
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.sizeBytes]).toEqual([
      'three',
      'two',
      undefined,
      50,
    ])
    cache.delete('b')
    cache.delete('b')
    expect([cache.get('a'), cache.get('b'), cache.sizeBytes]).toEqual(['three', undefined, 30])
  })

  it('never holds more than its bytes, whatever is set, grows and goes', () => {
    const random = numbers()
    const cache = new BoundedCache<number>(1_000)
    const sizes = new Map<number, number>()
    for (let value = 0; value < 5_000; value += 1) {
      const key = String(Math.floor(random() * 60))
      const size = Math.floor(random() * 200)
      if (random() < 0.1) cache.delete(key)
      else if (random() < 0.3) {
        const held = cache.get(key)
        if (held === undefined) continue
        sizes.set(held, (sizes.get(held) ?? 0) + size)
        cache.grow(key, size)
      } else {
        sizes.set(value, size)
        cache.set(key, value, size)
      }
      const held = Array.from({ length: 60 }, (_, place) => cache.get(String(place)))
      const sum = held.reduce<number>((all, one) => all + (one === undefined ? 0 : (sizes.get(one) ?? 0)), 0)
      expect(cache.sizeBytes).toBe(sum)
      expect(sum).toBeLessThanOrEqual(1_000)
    }
  })

  it('does not keep what alone is too large', () => {
    const cache = new BoundedCache<string>(100)
    cache.set('a', 'one', 101)
    expect([cache.get('a'), cache.sizeBytes]).toEqual([undefined, 0])
  })

  it('finds most of what is asked for in one order again and again, though not all of it has room', () => {
    const cache = new BoundedCache<number>(85)
    let found = 0
    for (let asked = 0; asked < 10_000; asked += 1) {
      const key = asked % 100
      if (cache.get(String(key)) === undefined) cache.set(String(key), key, 1)
      else found += 1
    }
    expect(found).toBeGreaterThan(6_000)
  })
})
