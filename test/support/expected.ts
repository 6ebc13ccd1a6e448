import { expect } from 'vitest'

/** Typed matchers of `expect`; its own are `any`. */
export const anyText = expect.any(String) as string
export const anyNumber = expect.any(Number) as number
export const textWith = (part: string) => expect.stringContaining(part) as string
export const textLike = (pattern: RegExp | string) => expect.stringMatching(pattern) as string
export const anyFunction: unknown = expect.any(Function)
/** A list with these among others. */
export function listWith<Item>(...items: Item[]): Item[] {
  const wanted: readonly unknown[] = items
  return expect.arrayContaining([...wanted]) as Item[]
}
export const objectWith = (part: object) => expect.objectContaining(part) as object
export const numberNear = (wanted: number, digits?: number) => expect.closeTo(wanted, digits) as number
