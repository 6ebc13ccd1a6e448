import { existingTime } from '../contract/calendar.ts'
import { cleanText } from '../formats/json/clean.ts'

/** The value under a key of foreign JSON; undefined where there is no object or no such key of its own. */
export function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
}

/** The array under a key; empty where there is none. */
export function listField(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key)
  return Array.isArray(list) ? list : []
}

/** Foreign JSON as a list; empty where it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The cleaned text under a key; null where there is none or nothing is left of it. */
export function textField(value: unknown, key: string, maxCodePoints: number): string | null {
  const text = fieldOf(value, key)
  return typeof text === 'string' ? cleanText(text, maxCodePoints) || null : null
}

/** The distinct cleaned texts of the array under a key, in their order. */
export function textsField(value: unknown, key: string, maxCodePoints: number): string[] {
  const texts = new Set<string>()
  for (const entry of listField(value, key)) {
    const text = typeof entry === 'string' ? cleanText(entry, maxCodePoints) : ''
    if (text !== '') texts.add(text)
  }
  return [...texts]
}

const timeForm = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}|$)/

/** An RFC 3339 time (a date alone counts as its midnight, UTC), to the millisecond; null where it is none. */
export function timeOf(text: string | null): Date | null {
  if (text === null || text.length > 40 || !timeForm.test(text)) return null
  return existingTime(text)
}
