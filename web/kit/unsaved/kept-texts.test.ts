import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { countKeptTexts, dropAllTexts, keepText, keptText, keptTextKey } from './kept-texts.ts'

const day = 24 * 3_600_000

/** Like the browser's: entries are own properties. */
class FakeStorage {
  getItem(key: string): string | null {
    return ((this as Record<string, unknown>)[key] as string | undefined) ?? null
  }
  setItem(key: string, text: string): void {
    ;(this as Record<string, unknown>)[key] = text
  }
  removeItem(key: string): void {
    Reflect.deleteProperty(this, key)
  }
}

beforeEach(() => {
  vi.stubGlobal('window', { localStorage: new FakeStorage() })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const keyOf = (report: number, person = 'p') => keptTextKey(person, 'acme', String(report))

it('a text is of one person, and gone for nobody else', () => {
  expect(keepText(keyOf(1), { a: 1 }, 5)).toBe(true)
  keepText(keyOf(1, 'other'), { b: 2 }, 5)
  expect(keptText(keyOf(1), 6)?.changes).toEqual({ a: 1 })
  dropAllTexts('p')
  expect([countKeptTexts('p'), countKeptTexts('other')]).toEqual([0, 1])
})

it('they are few, and the oldest go first', () => {
  for (let report = 0; report < 30; report += 1) keepText(keyOf(report), {}, report)
  expect(countKeptTexts('p')).toBe(20)
  expect(keptText(keyOf(9), 30)).toBeUndefined()
  expect(keptText(keyOf(10), 30)).toBeDefined()
})

it('they are small together, and end after two weeks', () => {
  keepText(keyOf(1), 'x'.repeat(600_000), 1)
  keepText(keyOf(2), 'x'.repeat(600_000), 2)
  expect(countKeptTexts('p')).toBe(1)
  expect(keptText(keyOf(2), 2 + 14 * day)).toBeUndefined()
})

it('a browser without storage keeps nothing and fails nothing', () => {
  vi.stubGlobal('window', {
    get localStorage(): never {
      throw new DOMException('denied', 'SecurityError')
    },
  })
  expect(keepText(keyOf(1), {}, 1)).toBe(false)
  expect(keptText(keyOf(1), 1)).toBeUndefined()
  dropAllTexts('p')
})
