import { dayMs } from '#contract/durations.ts'

/** Unsaved text kept in the browser: it survives a reload and the end of a session. */
export type KeptText = { at: number; changes: unknown }

const prefix = 'unsaved-draft/'
const maxTexts = 20
const maxCharacters = 1_000_000
const keptMs = 14 * dayMs

/** The key of one person's text: other users of the browser never see it. */
export function keptTextKey(person: string, slug: string, report: string): string {
  return `${prefix}${person}/${slug}/${report}`
}

/** Keeps a copy, dropping the oldest if there are too many. False: this browser keeps none. */
export function keepText(key: string, changes: unknown, now: number): boolean {
  const text = JSON.stringify({ at: now, changes } satisfies KeptText)
  return (
    inStorage((storage) => {
      makeRoom(storage, { key, characters: text.length, now })
      storage.setItem(key, text)
      return true
    }) ?? false
  )
}

export function keptText(key: string, now: number): KeptText | undefined {
  return inStorage((storage) => {
    const kept = readText(storage.getItem(key))
    return kept !== undefined && now - kept.at < keptMs ? kept : undefined
  })
}

/** Removes a copy that was saved or discarded. */
export function dropText(key: string): void {
  inStorage((storage) => {
    storage.removeItem(key)
  })
}

/** How many texts of a person this browser keeps. */
export function countKeptTexts(person: string): number {
  return inStorage((storage) => keysOf(storage, `${prefix}${person}/`).length) ?? 0
}

/** Signing out leaves nothing in the browser. */
export function dropAllTexts(person: string): void {
  inStorage((storage) => {
    for (const key of keysOf(storage, `${prefix}${person}/`)) storage.removeItem(key)
  })
}

function makeRoom(
  storage: Storage,
  { key, characters, now }: { key: string; characters: number; now: number },
): void {
  const others = keysOf(storage, prefix)
    .filter((other) => other !== key)
    .map((other) => {
      const text = storage.getItem(other)
      return { other, size: text?.length ?? 0, at: readText(text)?.at ?? 0 }
    })
    .toSorted((one, other) => other.at - one.at)
  let size = characters
  for (const [index, { other, size: its, at }] of others.entries()) {
    size += its
    if (index >= maxTexts - 1 || size > maxCharacters || now - at > keptMs) storage.removeItem(other)
  }
}

function keysOf(storage: Storage, start: string): string[] {
  return Object.keys(storage).filter((key) => key.startsWith(start))
}

/** Foreign entries are ignored. */
function readText(text: string | null): KeptText | undefined {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isKept(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isKept(value: unknown): value is KeptText {
  return typeof value === 'object' && value !== null && 'changes' in value && 'at' in value
}

/** A browser without storage, or with full storage, keeps nothing. */
function inStorage<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(window.localStorage)
  } catch (error) {
    if (error instanceof DOMException) return undefined
    throw error
  }
}
