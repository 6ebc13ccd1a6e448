import type { Method } from '#contract/operation.ts'

/** Acts whose answer was lost, with their keys. */
const lost = new Map<string, { key: string; at: number }>()
/** Whoever sends the same later than this means another act. */
const lostForMs = 600_000
/** The most text that is remembered: what is sent while the service is away may be large. */
const maxCharacters = 4_000_000

/** An act that the service does once for its key, and what it is. */
export type KeyedAct = { key: string; what: string }

/** Of an act in a workspace that creates or changes something, as it is sent. Sent again after its answer was lost, it has the key of before. */
export function keyedAct(method: Method, path: string, body: string | undefined): KeyedAct | undefined {
  if (method !== 'POST' || !path.startsWith('/api/app/workspaces/')) return undefined
  const what = `${path} ${body ?? ''}`
  const before = lost.get(what)
  const isSame = before !== undefined && Date.now() - before.at < lostForMs
  return { what, key: isSame ? before.key : newKey() }
}

export function noteLostAct({ what, key }: KeyedAct): void {
  const now = Date.now()
  lost.delete(what)
  lost.set(what, { key, at: now })
  let left = [...lost.keys()].reduce((sum, { length }) => sum + length, 0)
  for (const [other, { at }] of lost) {
    if (other === what || (left <= maxCharacters && now - at < lostForMs)) break
    lost.delete(other)
    left -= other.length
  }
}

/** It was done, and answered. A refusal may be of this time alone: it could have been done before. */
export function forgetLostAct({ what }: KeyedAct): void {
  lost.delete(what)
}

/** The person has gone on to something else: what they send from here on is another act. */
export function forgetLostActs(): void {
  lost.clear()
}

/** `crypto.randomUUID` is missing where the page is served without TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
